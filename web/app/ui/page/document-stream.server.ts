import { Transform } from 'node:stream';
import { DEFERRED_MODULE, DEFERRED_PRELOAD } from './head/deferral';

const PRELOAD = '<link rel="modulepreload" ';
const MODULE = ' type="module" async=""';
/** React writes the attribute in camel case. */
const IMPORTANT_PICTURE = ' fetchPriority="high"';

/**
 * Removes NUL bytes: React 18 writes its buffer of 2048 bytes whole, also when a character of several bytes no longer
 * fitted, and browsers show zeros as U+FFFD in attributes. HTML has no NUL of its own.
 *
 * Gives preloaded scripts, which Remix writes, a low priority. On a page with an important picture they wait for it
 * (`startScriptsAfterPicture`): on a slow connection they would delay it, and such pages are complete without scripts.
 */
export function documentStream(): Transform {
  // Texts have a character for each byte, so that chunks may divide characters.
  let unfinished = '';
  let hasPicture = false;
  const rewritten = (html: string): string => {
    hasPicture ||= html.includes(IMPORTANT_PICTURE);
    const lowered = html.replaceAll(
      PRELOAD,
      `<link fetchpriority="low" rel="${hasPicture ? DEFERRED_PRELOAD : 'modulepreload'}" `,
    );
    return hasPicture ? lowered.replaceAll(MODULE, ` type="${DEFERRED_MODULE}"`) : lowered;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const html = unfinished + Buffer.from(chunk.includes(0) ? chunk.filter(Boolean) : chunk).toString('latin1');
      const end = Math.max(0, html.lastIndexOf('<'));
      unfinished = html.slice(end);
      done(null, Buffer.from(rewritten(html.slice(0, end)), 'latin1'));
    },
    flush(done) {
      done(null, Buffer.from(rewritten(unfinished), 'latin1'));
    },
  });
}
