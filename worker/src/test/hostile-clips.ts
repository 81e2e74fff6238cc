/** Files that only an attacker makes, built from bytes. */

export function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** Boxes around the list of files in which frames are. */
const AROUND_REFERENCES = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref'] as const;
/** Version and number of entries. */
const LIST_HEAD = 12;
/** Size of an entry that describes the file itself. */
const OWN_ENTRY = 12;

/** A file of one track whose index follows its frames, which are now said to be in the file at `path`. */
export function referring(bytes: Buffer, path: string): Buffer {
  const entry = aliasOf(path);
  let at = bytes.lastIndexOf('moov');
  for (const type of AROUND_REFERENCES) {
    at = bytes.indexOf(type, at);
    bytes.writeUInt32BE(bytes.readUInt32BE(at - 4) + entry.length - OWN_ENTRY, at - 4);
  }
  const from = at + LIST_HEAD;
  return Buffer.concat([bytes.subarray(0, from), entry, bytes.subarray(from + OWN_ENTRY)]);
}

/** An alias of Mac OS with an absolute path, as far as ffmpeg reads it. */
function aliasOf(path: string): Buffer {
  const unread = Buffer.alloc(4 + 10 + 28 + 12 + 64 + 16 + 4 + 16);
  const length = path.length + (path.length % 2);
  const name = Buffer.alloc(4 + length);
  name.writeUInt16BE(2, 0);
  name.writeUInt16BE(length, 2);
  name.write(path, 4, 'latin1');
  return box('alis', unread, name, Buffer.from([0xff, 0xff, 0, 0]));
}

/** A file of one track, all of whose frames last that many ticks; no edit list ends it earlier. */
export function withFrameLength(bytes: Buffer, ticks: number): Buffer {
  const index = bytes.lastIndexOf('moov');
  bytes.writeUInt32BE(ticks, bytes.indexOf('stts', index) + 16);
  bytes.write('free', bytes.indexOf('edts', index), 'latin1');
  return bytes;
}
