import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { decodePicture, probeImage } from '../image/formats/decode.js';
import { isDeep, type Picture } from '../image/picture.js';
import { FROM_SOURCE, testDecoders } from '../test/decoders.js';
import { deepSamples, detailed, fileOf, quadrants, TURNED_HEIC } from '../test/pictures.js';
import { Decoder, type DecoderOptions } from './decoder.js';

const { signal } = new AbortController();
const open: Decoder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((decoder) => decoder.close()));
});

async function start(options: DecoderOptions = {}): Promise<Decoder> {
  const decoder = await Decoder.start({ ...FROM_SOURCE, ...options });
  open.push(decoder);
  return decoder;
}

const hostile = (act: string, argument?: object): DecoderOptions => ({
  childPath: new URL('../test/hostile-decoder.ts', import.meta.url),
  environment: { ...FROM_SOURCE.environment, ACT: act, ARGUMENT: JSON.stringify(argument) },
});

let picture: string;
beforeAll(async () => {
  picture = await fileOf(await quadrants().png().toBuffer());
});

describe('a decoder', () => {
  it.each([
    [
      'a JPEG with EXIF',
      () =>
        quadrants()
          .withExif({ IFD0: { Copyright: 'Ada' } })
          .withMetadata({ orientation: 6 })
          .jpeg()
          .toBuffer(),
    ],
    ['a HEIC', async () => TURNED_HEIC],
    ['a large picture', () => detailed(3000, 2000).jpeg().toBuffer()],
    [
      '16 bits with transparency and a profile',
      () =>
        sharp(deepSamples(300 * 200 * 4), { raw: { width: 300, height: 200, channels: 4 } })
          .toColourspace('rgb16')
          .withIccProfile('p3')
          .png()
          .toBuffer(),
    ],
  ])('reads %s as this process would, and writes its pixels to a file', async (_, encode) => {
    const file = await fileOf(await encode());
    const decoder = await start();
    const probed = await decoder.probe(file);
    const expected = await probeImage(file);
    expect(probed).toMatchObject({ width: expected.width, height: expected.height, isDeep: expected.isDeep });
    const decoded = await decoder.decode({ maxSide: 1000, keepDepth: true });
    expectEqual(decoded, await decodePicture(expected, { maxSide: 1000, keepDepth: true }));

    const folder = await mkdtemp(join(tmpdir(), 'clearframe-written-'));
    const { pixels, metadata } = await decoder.write(join(folder, 'pixels'), { maxSide: 100_000, hasAlpha: false });
    const whole = await decodePicture(expected, { maxSide: 100_000, keepDepth: true });
    const { width, height } = pixels.layout;
    expectEqual({ width, height, rgb: await pixels.rows(0, height), alpha: whole.alpha, metadata }, whole);
    await rm(folder, { recursive: true });
  });

  it('refuses a damaged picture by the code for users', async () => {
    const decoder = await start();
    const file = await fileOf((await detailed().jpeg().toBuffer()).subarray(0, 5000));
    await expect(
      decoder.probe(file).then(() => decoder.decode({ maxSide: 64, keepDepth: false })),
    ).rejects.toMatchObject({
      code: 'uploads.undecodable',
    });
  });

  it('leaves no process and no file', async () => {
    const decoder = await start();
    await decoder.probe(picture);
    const environment = await readFile(`/proc/${decoder.pid}/environ`, 'utf8');
    const [, folder = ''] = /TMPDIR=([^\0]+)/.exec(environment) ?? [];
    expect((await stat(folder)).isDirectory()).toBe(true);
    await decoder.close();
    expect(await statusOf(decoder.pid)).toBe('');
    await expect(stat(join(folder, '..'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Of pixels, which take long to print, only whether they differ. */
function expectEqual(read: Picture, expected: Picture): void {
  const { rgb, alpha, metadata, ...size } = expected;
  expect(read).toMatchObject(size);
  expect(metadata).toMatchObject(read.metadata);
  expect([isDeep(read.rgb), bytesOf(read.rgb).equals(bytesOf(rgb))]).toEqual([isDeep(rgb), true]);
  expect(read.alpha && alpha ? bytesOf(read.alpha).equals(bytesOf(alpha)) : read.alpha === alpha).toBe(true);
}

const statusOf = (pid: number | undefined): Promise<string> => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');

describe('a picture that takes over its decoder', () => {
  const server = createServer((_, answer) => answer.end());
  let folder: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    folder = await mkdtemp(join(tmpdir(), 'clearframe-neighbor-'));
    vi.stubEnv('REDIS_URL', 'redis://:secret@localhost');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    server.close();
    await rm(folder, { recursive: true });
  });

  it('reaches no secret, no file of others, no network, no process', async () => {
    const secret = join(folder, 'secrets.json');
    await writeFile(secret, 'secret');
    const other = await start();
    await other.probe(picture);
    const [, neighbor = ''] = /TMPDIR=([^\0]+)/.exec(await readFile(`/proc/${other.pid}/environ`, 'utf8')) ?? [];
    const files = [secret, picture, join(neighbor, '../in/picture')];
    const { port } = server.address() as AddressInfo;
    const decoder = await start(hostile('explore', { files, port }));
    expect(decoder.hasConfinedFiles).toBe(true);
    const status = await statusOf(decoder.pid);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    const found = await decoder.probe(picture).catch(({ message }: Error) => JSON.parse(message));
    expect(found).toEqual({
      environment: expect.not.arrayContaining(['REDIS_URL', 'AWS_SECRET_ACCESS_KEY']),
      read: [...files, 'environ', 'mem', 'passwd'].map(() => 'EACCES'),
      write: [...files, 'program'].map(() => 'EACCES'),
      signal: 'EPERM',
      tcp: 'EPERM',
      udp: 'EPERM',
      program: 'EACCES',
    });
    expect(await readFile(secret, 'utf8')).toBe('secret');
  });

  it.each(['crash', 'bomb', 'lie', 'overflow', 'garbage', 'flood'])(
    'by a %s ends its own attempt only',
    async (act) => {
      const decoder = await start({ ...hostile(act), maxMemoryBytes: 1_500_000_000 });
      await expect(decoder.probe(picture)).rejects.toMatchObject({ name: 'DecoderCrashedError', retryable: true });
      expect(Object.hasOwn(Object.prototype, 'rgb')).toBe(false);
    },
  );

  it('and hangs is refused after the time limit', async () => {
    const decoder = await start({ ...hostile('hang'), timeoutMs: 5_000 });
    await expect(decoder.probe(picture)).rejects.toMatchObject({ code: 'uploads.undecodable' });
    await decoder.close();
    expect(await statusOf(decoder.pid)).toBe('');
  });
});

describe('decoders', () => {
  it('are new for each picture, also after one that was killed', async () => {
    const decoders = testDecoders();
    await decoders.onModuleInit();
    const pids: (number | undefined)[] = [];
    const use = (work: (decoder: Decoder) => Promise<unknown>) =>
      decoders.use(signal, async (decoder) => {
        pids.push(decoder.pid);
        return work(decoder);
      });
    await use((decoder) => decoder.probe(picture));
    const killed = use(async (decoder) => {
      process.kill(decoder.pid ?? 0, 'SIGKILL');
      return decoder.probe(picture);
    });
    await expect(killed).rejects.toMatchObject({ name: 'DecoderCrashedError' });
    await expect(use((decoder) => decoder.probe(picture))).resolves.toMatchObject({ width: 64, height: 48 });
    expect(new Set(pids).size).toBe(3);
    await decoders.onApplicationShutdown();
  });

  it('end when the run is cancelled', async () => {
    const decoders = testDecoders(hostile('hang'));
    const controller = new AbortController();
    const running = decoders.use(controller.signal, (decoder) => {
      const probing = decoder.probe(picture);
      controller.abort(new Error('enough'));
      return probing;
    });
    await expect(running).rejects.toThrow('enough');
    await decoders.onApplicationShutdown();
  });
});
