/** A decoder that a picture has taken over. */

import { createSocket } from 'node:dgram';
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { serialize } from 'node:v8';
import { frameOf } from '../decoder/frames.js';
import { ANSWERS_FD } from '../inference/fork-child.js';

const write = (bytes: Uint8Array) => writeSync(ANSWERS_FD, bytes);
const send = (message: object, stored: object[] = []) => write(frameOf(serialize({ message, stored })));

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function attempt(work: () => unknown): string {
  try {
    return `done: ${String(work()).slice(0, 20)}`;
  } catch (error) {
    return codeOf(error);
  }
}

const eventually = (start: (done: (error?: unknown) => void) => void): Promise<string> =>
  new Promise((resolve) => {
    try {
      start((error) => resolve(error ? codeOf(error) : 'done'));
    } catch (error) {
      resolve(codeOf(error));
    }
  });

/** @param files that a decoder must not reach @param port of a server */
async function explore(files: readonly string[], port: number): Promise<object> {
  const parent = process.ppid;
  return {
    environment: Object.keys(process.env).toSorted(),
    read: [...files, `/proc/${parent}/environ`, `/proc/${parent}/mem`, '/etc/passwd'].map((path) =>
      attempt(() => readFileSync(path)),
    ),
    write: [...files, process.argv[1] ?? ''].map((path) => attempt(() => writeFileSync(path, 'mine'))),
    signal: attempt(() => process.kill(parent, 'SIGSTOP')),
    tcp: await eventually((done) => connect(port, '127.0.0.1', done).on('error', done)),
    udp: await eventually((done) => createSocket('udp4').on('error', done).send('x', port, '127.0.0.1', done)),
    program: await import('node:child_process').then(({ execFileSync }) => attempt(() => execFileSync('/bin/true'))),
  };
}

const ACTS: Record<string, (argument: string) => void> = {
  crash: () => process.abort(),
  hang: () => {
    for (;;);
  },
  bomb: () => {
    for (const taken: Buffer[] = []; ; ) taken.push(Buffer.alloc(1e8, 1));
  },
  lie: () => send({ type: 'probed', contentType: 'image/jpeg', sizeBytes: 1, width: -1, height: 1e9, isDeep: false }),
  overflow: () =>
    send({ type: 'decoded', width: 1, height: 1 }, [
      { path: ['__proto__', 'rgb'], kind: 'Uint8Array', at: 0, bytes: 1e15 },
    ]),
  garbage: () => write(frameOf(Buffer.alloc(100, 0xaa))),
  flood: () => {
    for (;;) write(Buffer.alloc(1e6, 0xff));
  },
  explore: (argument) => {
    const { files, port } = JSON.parse(argument);
    void explore(files, port).then((found) =>
      send({ type: 'error', error: { name: 'Found', message: JSON.stringify(found) } }),
    );
  },
};

createInterface({ input: process.stdin }).on('line', () => ACTS[process.env.ACT ?? '']?.(process.env.ARGUMENT ?? ''));
send({ type: 'ready', hasConfinedFiles: process.env.CONFINED_FILES === 'true' });
