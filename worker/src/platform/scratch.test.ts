import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DiskFullError } from '@clearframe/runtime/storage';
import { afterAll, expect, it } from 'vitest';
import { clip, removeClips, videoTools } from '../test/clips.js';
import { addOutput, addUpload, newCommand } from '../video/command.js';
import { encode } from '../video/encode.js';
import { removeAbandonedScratch, withScratch } from './scratch.js';

afterAll(removeClips);

it('removes the folder of a killed worker with the id of this one, and keeps those in use', async () => {
  await withScratch(async (folder) => {
    // A container that is started again often gives its processes the same ids.
    const left = join(dirname(folder), basename(folder).replace(/^(\d+)\.\d+/, '$1.1'));
    await mkdir(left);
    await removeAbandonedScratch();
    await expect(access(left)).rejects.toMatchObject({ code: 'ENOENT' });
    await access(folder);
  });
});

/** Linux answers every write to this device as a full disk does. */
const FULL = '/dev/full';
/** ffmpeg ignores errors of the last bytes of such files. */
const LARGE = ['-s', '640x360', '-f', 'rawvideo'];

const WORK: Record<string, (folder: string) => Promise<unknown>> = {
  Node: () => writeFile(FULL, 'x'),
  ffmpeg: async (folder) => {
    const { ffmpeg } = await videoTools();
    const command = addOutput(addUpload(newCommand(), await clip('silent')), `file:${FULL}`, ...LARGE);
    await encode(ffmpeg, command, {
      folder,
      signal: new AbortController().signal,
      timeoutMs: 60_000,
      maxBytes: 1_000_000,
    });
  },
};

it.each(Object.keys(WORK))('names its disk when %s finds it full, and leaves nothing there', async (name) => {
  let used = '';
  const failed = withScratch(async (folder) => {
    used = folder;
    await WORK[name]?.(folder);
  });
  await expect(failed).rejects.toBeInstanceOf(DiskFullError);
  await expect(failed).rejects.toMatchObject({ folder: dirname(used) });
  expect(await readdir(dirname(used))).not.toContain(basename(used));
});
