import { Transform } from 'node:stream';

const PRELOAD = Buffer.from('<link rel="modulepreload" ');
const LOW_PRELOAD = Buffer.from('<link fetchpriority="low" rel="modulepreload" ');

/**
 * Removes NUL bytes from a page. React 18 writes its buffer of 2048 bytes whole, also when a character of several bytes
 * no longer fitted, and browsers show the zeros left at its end as U+FFFD in attributes. HTML has no NUL of its own.
 *
 * Gives preloaded scripts, which Remix writes, a low priority: pages are complete without them, and on a slow connection
 * they would delay the picture.
 */
export function documentStream(): Transform {
  /** The end of the last chunk, if a preload may begin there. */
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const bytes = Buffer.concat([rest, chunk.includes(0) ? chunk.filter(Boolean) : chunk]);
      const complete = bytes.length - unfinishedLength(bytes);
      rest = bytes.subarray(complete);
      done(null, lowered(bytes.subarray(0, complete)));
    },
    flush(done) {
      done(null, rest);
    },
  });
}

/** Length of the longest end that is a beginning of a preload. */
function unfinishedLength(bytes: Buffer): number {
  const start = bytes.lastIndexOf('<');
  const length = bytes.length - start;
  const isBeginning =
    start >= 0 && length < PRELOAD.length && PRELOAD.subarray(0, length).equals(bytes.subarray(start));
  return isBeginning ? length : 0;
}

function lowered(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(PRELOAD); at >= 0; at = bytes.indexOf(PRELOAD, from)) {
    parts.push(bytes.subarray(from, at), LOW_PRELOAD);
    from = at + PRELOAD.length;
  }
  return from === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
}
