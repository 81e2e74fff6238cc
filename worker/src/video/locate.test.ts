import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { videoTools } from '../test/clips.js';
import { StubPrograms } from '../test/programs.js';
import { locateVideoTools } from './locate.js';

let programs: StubPrograms;
beforeAll(async () => {
  programs = await StubPrograms.create();
});
afterAll(() => programs.remove());

it('asks programs that work once, and others again', async () => {
  const tools = await videoTools();
  const log = join(programs.folder, 'starts');
  const noting = (then: string) => programs.script(`echo start >> ${log}\n${then}`);
  const configured = { ffmpeg: await noting(`exec ${tools.ffmpeg} "$@"`), ffprobe: tools.ffprobe };
  const [first, another] = await Promise.all([locateVideoTools(configured), locateVideoTools(configured)]);
  expect(first).toMatchObject({ ...configured, source: 'configured', version: tools.version });
  expect([another, await locateVideoTools(configured)]).toEqual([first, first]);
  const starts = async () => (await readFile(log, 'utf8')).trim().split('\n').length;
  const asked = await starts();
  expect(asked).toBe(3);

  const broken = { ...configured, ffmpeg: await noting('exit 1') };
  expect(await locateVideoTools(broken)).toBeNull();
  const after = await starts();
  expect(await locateVideoTools(broken)).toBeNull();
  expect(await starts()).toBeGreaterThan(after);
});
