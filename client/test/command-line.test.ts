import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useEnhance } from '../../api/test/support/enhance-fixture.js';
import { maskOf, notPictures, picture, pngOf } from '../../api/test/support/pictures.js';
import { until } from '../../api/test/support/until.js';
import { freePort } from '../../runtime/test/ports.js';
import { type Ended, startClearframe } from './support/command-line.ts';
import { finishingAll } from './support/finishing-all.ts';
import { hasMask } from './support/masks.ts';

const enhance = useEnhance();
const { api, client, tasks } = enhance;
enhance.useWorker();
const working = (command: Promise<Ended>): Promise<Ended> => finishingAll(enhance, command);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-cli-'));
});
afterEach(() => rm(folder, { recursive: true }));

const environment = (changes: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  CLEARFRAME_API_KEY: client().key,
  CLEARFRAME_URL: api().url,
  ...changes,
});
const start = (args: string[], changes?: Record<string, string>, input?: string) =>
  startClearframe(args, { cwd: folder, env: environment(changes), input });
const run = (args: string[], changes?: Record<string, string>, input?: string): Promise<Ended> =>
  start(args, changes, input).ended;

async function writePictures(...names: string[]): Promise<void> {
  await mkdir(join(folder, 'photos'), { recursive: true });
  for (const name of names) await writeFile(join(folder, 'photos', name), picture.png());
}

const countOfTasks = async (): Promise<number> => (await tasks()).length;

describe('clearframe', () => {
  it('explains itself', async () => {
    const { code, lines } = await run(['--help']);
    expect([code, lines.join('\n')]).toEqual([0, expect.stringContaining('Exit codes: 0 all done')]);
    expect((await run(['enhance', '--help'])).lines).toContain('  clearframe enhance photo.jpg -o better.png');
    expect(await run([])).toMatchObject({ code: 2, lines: [] });
    expect(await run(['enhance', '--nope'])).toMatchObject({ code: 2, errors: expect.stringContaining('--nope') });
    expect((await run(['--version'])).lines).toEqual(['0.1.0']);
  });

  it('stores a key for its owner, and sends it to its own address only', async () => {
    const none = { CLEARFRAME_API_KEY: '', CLEARFRAME_URL: '' };
    expect(await run(['keys'], none)).toMatchObject({ code: 2, errors: expect.stringContaining('clearframe login') });
    const login = await run(['login', '--url', api().url], none, `${client().key}\n`);
    expect(login).toMatchObject({ code: 0, errors: '' });
    const file = join(folder, '.config/clearframe/settings.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { lines } = await run(['keys', '--json'], none);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ url: api().url, plan: 'business' });
    expect(lines.join()).not.toContain(client().key);
    expect(await run(['keys', '--url', 'http://127.0.0.1:9'], none)).toMatchObject({ code: 2 });
    expect(await run(['login', '--key', 'cfk_wrong'])).toMatchObject({ code: 3 });
    await run(['logout'], none);
    expect(await run(['keys', '--url', api().url], none)).toMatchObject({ code: 2 });
  });

  it('shows what keys had made, as a table and as JSON', async () => {
    expect((await run(['usage'])).lines).toEqual(['Nothing was made in these days.']);
    await writePictures('a.jpg');
    await working(run(['enhance', 'photos/a.jpg', '-o', 'a.png']));
    const today = new Date().toISOString().slice(0, 10);
    const { code, lines } = await run(['usage', '--from', today]);
    expect([code, lines]).toEqual([
      0,
      [
        expect.stringMatching(/^day +key +pictures {2}videos {2}megapixels {2}failed$/),
        expect.stringMatching(new RegExp(`^${today}  [0-9a-f]{8} +1 +0 +0\\.3 +0$`)),
        expect.stringMatching(/^sum +1 +0 +0\.3 +0$/),
      ],
    ]);
    const [row] = (await run(['usage', '--json'])).lines;
    expect(JSON.parse(row ?? '')).toMatchObject({ day: today, pictures: 1, megapixels: 0.3072, failed: 0 });
    expect(await run(['usage', '--from', 'yesterday'])).toMatchObject({ code: 2 });
    expect(await run(['usage', '--key-id', randomUUID()])).toMatchObject({ code: 3 });
  });

  it('ends with the code of what went wrong', async () => {
    await writePictures('a.jpg');
    expect(await run(['enhance', 'photos/a.jpg'], { CLEARFRAME_API_KEY: 'cfk_wrong' })).toMatchObject({ code: 3 });
    const closed = `http://127.0.0.1:${await freePort()}`;
    expect(await run(['enhance', 'photos/a.jpg'], { CLEARFRAME_URL: closed })).toMatchObject({
      code: 5,
      lines: [expect.stringContaining(`No answer from ${closed} (ECONNREFUSED)`)],
    });
    for (const wrong of [
      '--faces=v2:2',
      '--faces=teeth',
      '--upscale=3',
      '--output-size=huge',
      '--jobs=0',
      '--out=a.gif',
      '--preset=pet',
    ])
      expect([wrong, (await run(['enhance', 'photos/a.jpg', wrong])).code]).toEqual([wrong, 2]);
    expect(await run(['enhance', 'missing.jpg'])).toMatchObject({ code: 2 });
    expect(await countOfTasks()).toBe(0);
  });

  it('completes commands and options in bash', async () => {
    const { lines } = await run(['completion', 'bash']);
    const script = `${lines.join('\n')}
COMP_WORDS=(clearframe enhance --preset po); COMP_CWORD=3; _clearframe; echo "\${COMPREPLY[@]}"
COMP_WORDS=(clearframe enhance --js); COMP_CWORD=2; _clearframe; echo "\${COMPREPLY[@]}"
COMP_WORDS=(clearframe wh); COMP_CWORD=1; _clearframe; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    expect(stdout).toBe('portrait\n--json\nwhoami\n');
  });
});

describe('clearframe enhance', () => {
  it('makes one file, and overwrites none', async () => {
    await writePictures('a.jpg');
    const args = ['enhance', 'photos/a.jpg', '-o', 'better.png', '--faces', 'v2:0.8', '--background', 'base'];
    const { code, lines } = await working(run(args));
    expect([code, lines]).toEqual([0, [expect.stringMatching(/^✓ a\.jpg → better\.png {2}640×480, /)]]);
    const [task] = await tasks();
    expect(task).toMatchObject({
      ai_pipeline: { face_enhance: { model: 'v2', strength: 0.8 }, background_enhance: { model: 'base' } },
      output_content_type: 'image/png',
    });
    expect(await run(args)).toMatchObject({ code: 1, lines: [expect.stringContaining('--force')] });
    expect(await run([...args, '--force'])).toMatchObject({ code: 0 });
    expect(await countOfTasks()).toBe(1);
    expect(await readdir(folder)).toEqual(['better.png', 'photos']);
  });

  it('sends a mask with its picture, and makes layers by the name of the result', async () => {
    await writePictures('b.jpg');
    await writeFile(join(folder, 'photos', 'a.png'), pngOf(60, 40));
    const mask = maskOf(60, 40);
    await writeFile(join(folder, 'mask.png'), mask);
    const masked = ['--mask', 'mask.png', '--color', 'golden'];
    expect(await working(run(['enhance', 'photos/a.png', '-o', 'a.psd', ...masked]))).toMatchObject({ code: 0 });
    const task = await enhance.onlyTask();
    expect(task).toMatchObject({ result: { outputs: [{ content_type: 'image/vnd.adobe.photoshop' }] } });
    expect(await hasMask(api, task.task_id, mask)).toBe(true);
    const tiff = ['photos/b.jpg', '-o', 'b.tif', '--format', 'photoshop-tiff'];
    expect(await working(run(['enhance', ...tiff]))).toMatchObject({ code: 0 });
    const made = (await tasks()) as { result: { outputs: { content_type: string }[] } | null }[];
    const types = made.flatMap(({ result }) => result?.outputs.map(({ content_type }) => content_type));
    expect(types).toContain('image/tiff;application=photoshop');
    expect(await run(['enhance', 'photos', '--out', 'out', ...masked])).toMatchObject({
      code: 2,
    });
    expect(await run(['enhance', 'photos/b.jpg', '--mask', 'none.png'])).toMatchObject({ code: 2 });
  });

  it('makes a line a picture of a folder, and goes on after one that fails', async () => {
    await writePictures('a.jpg', 'b.jpeg', 'b.jpg');
    await writeFile(join(folder, 'photos/broken.jpg'), notPictures.pdf);
    await writeFile(join(folder, 'photos/notes.txt'), 'no picture');
    const args = ['enhance', 'photos', '--out', 'out', '--json', '--preset', 'portrait'];
    const { code, lines } = await working(run(args));
    const read = lines.map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(Object.fromEntries(read.map(({ source, output }) => [source, output]))).toEqual({
      'photos/a.jpg': 'out/a.jpg',
      'photos/b.jpeg': 'out/b.jpeg.jpg',
      'photos/b.jpg': 'out/b.jpg.jpg',
      'photos/broken.jpg': null,
    });
    expect(read.find(({ status }) => status === 'failed')).toMatchObject({ code: 'uploads.unsupported_type' });
    await rm(join(folder, 'photos/broken.jpg'));
    const again = await run(args);
    expect(again.lines.map((line) => JSON.parse(line).status)).toEqual(['skipped', 'skipped', 'skipped']);
    const other = await run(['enhance', 'photos', '--out', 'out', '--color', 'teal']);
    expect(other).toMatchObject({ code: 1, lines: Array(3).fill(expect.stringContaining('--force')) });
    expect((await readdir(join(folder, 'out'))).sort()).toEqual([
      '.clearframe.jsonl',
      'a.jpg',
      'b.jpeg.jpg',
      'b.jpg.jpg',
    ]);
  });

  it('asks above fifty pictures', async () => {
    await writePictures(...Array.from({ length: 51 }, (_, index) => `${index}.jpg`));
    const refused = await run(['enhance', 'photos', '--out', 'out']);
    expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining('--yes') });
    expect(await countOfTasks()).toBe(0);
  });

  it('continues a run that was killed, and one that was interrupted', async () => {
    await writePictures('a.jpg', 'b.jpg');
    const args = ['enhance', 'photos', '--out', 'out'];
    const killed = start(args);
    await until(async () => (await countOfTasks()) === 2, 'both pictures to be sent');
    killed.child.kill('SIGKILL');
    await killed.ended;
    await writePictures('c.jpg');
    const interrupted = start(args);
    await until(async () => (await countOfTasks()) === 3, 'the third picture to be sent');
    interrupted.child.kill('SIGINT');
    expect(await interrupted.ended).toMatchObject({ code: 130, errors: expect.stringContaining('continues') });
    expect(await readdir(join(folder, 'out'))).toEqual([]);
    expect(await working(run(args))).toMatchObject({ code: 0 });
    expect((await readdir(join(folder, 'out'))).sort()).toEqual(['.clearframe.jsonl', 'a.jpg', 'b.jpg', 'c.jpg']);
    expect(await countOfTasks()).toBe(3);
    expect((await readFile(join(folder, 'out/a.jpg'))).length).toBeGreaterThan(0);
  });
});
