import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clip, encode, removeClips, videoTools } from '../test/clips.js';
import { box, referring, withFrameLength } from '../test/hostile-clips.js';
import { probeVideo } from './probe-video.js';

const tools = await videoTools();
const { signal } = new AbortController();
const FILE_TYPE = box('ftyp', Buffer.from('mp42\0\0\0\0mp42isom', 'latin1'));
let folder: string;
let connections = 0;
let server: Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-hostile-'));
  server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await removeClips();
  await rm(folder, { recursive: true, force: true });
});

const probe = (path: string) => probeVideo(tools, path, { folder, signal });

async function probeBytes(bytes: Buffer | string) {
  const path = join(folder, 'upload.mp4');
  await writeFile(path, bytes, 'latin1');
  return probe(path);
}

describe('a file that is no video', () => {
  it.each([
    ['nothing', '', 'uploads.empty'],
    ['text', 'no video at all, only text', 'uploads.unsupported_type'],
    ['a WebM or Matroska file', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01', 'uploads.unsupported_type'],
    ['an AVI file', 'RIFF\x24\0\0\0AVI LIST', 'uploads.unsupported_type'],
    ['an archive', 'PK\x03\x04\x14\0\0\0\x08\0', 'uploads.unsupported_type'],
    ['the start of a container', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'uploads.undecodable'],
  ])('with %s is rejected', async (_, content, code) => {
    await expect(probeBytes(content)).rejects.toMatchObject({ code });
  });

  it('without its index, cut off, is rejected', async () => {
    const path = join(folder, 'cut.mp4');
    await copyFile(await clip('plain'), path);
    await truncate(path, 3000);
    await expect(probe(path)).rejects.toMatchObject({ code: 'uploads.undecodable' });
  });

  it('that needs a key is rejected', async () => {
    const path = join(folder, 'encrypted.mp4');
    const keys = ['-encryption_key', '0'.repeat(32), '-encryption_kid', '1'.repeat(32)];
    await encode(['-i', await clip('plain'), '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr', ...keys], path);
    await expect(probe(path)).rejects.toMatchObject({ code: 'uploads.undecodable' });
  });

  it('but sound alone is rejected', async () => {
    const sound = join(folder, 'sound.mp4');
    await encode(['-f', 'lavfi', '-i', 'sine=duration=0.2', '-c:a', 'aac'], sound);
    await expect(probe(sound)).rejects.toMatchObject({ code: 'uploads.undecodable' });
  });
});

describe('a file that names others', () => {
  const file = (secret: string) => `file://${secret}`;
  const remote = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/part.ts`;
  const playlist = (address: string) => `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\n${address}\n#EXT-X-ENDLIST\n`;

  it.each([
    ['a playlist', (secret: string) => playlist(file(secret))],
    ['a playlist of a server', () => playlist(remote())],
    ['a playlist with data', () => playlist('data:video/mp4;base64,AAAAGGZ0eXBtcDQy')],
    ['a playlist of parts', (secret: string) => playlist(`concat:${secret}|${secret}`)],
    ['a list of files', (secret: string) => `ffconcat version 1.0\nfile ${secret}\n`],
    ['a list of a server', () => `ffconcat version 1.0\nfile ${remote()}\n`],
  ])('%s called .mp4 reads no other file and opens no connection', async (_, listing) => {
    const content = listing(await clip('silent'));
    await expect(probeBytes(content)).rejects.toMatchObject({ code: 'uploads.unsupported_type' });
    // The same content behind the first box of a video.
    const behind = probeBytes(`\0\0\0\x10ftypmp42\0\0\0\0${content}`);
    await expect(behind).rejects.toMatchObject({ code: 'uploads.undecodable' });
    expect(connections).toBe(0);
  });

  it('a video whose frames are in another file is rejected', async () => {
    const path = await clip('silent');
    await expect(probeBytes(referring(await readFile(path), path))).rejects.toMatchObject({
      code: 'uploads.undecodable',
    });
  });
});

describe('a file that needs more than it says', () => {
  it.each(['large', 'largeH264'] as const)('by huge frames, %s, is rejected before they are decoded', async (name) => {
    await expect(probe(await clip(name))).rejects.toMatchObject({ code: 'uploads.too_many_pixels' });
  });

  it('by a compressed index is rejected', async () => {
    const size = 64_000_000;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(size);
    const method = box('dcom', Buffer.from('zlib'));
    const index = box('moov', box('cmov', method, box('cmvd', length, deflateSync(Buffer.alloc(size)))));
    await expect(probeBytes(Buffer.concat([FILE_TYPE, index]))).rejects.toMatchObject({ code: 'uploads.undecodable' });
  });

  it('by frames of days is as long as they are', async () => {
    const bytes = withFrameLength(await readFile(await clip('silent')), 2 ** 30);
    const { duration } = await probeBytes(bytes);
    expect(duration).toBeGreaterThan(86_400);
  });
});
