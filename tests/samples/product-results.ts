import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AiPipeline, hasResult, videoRoutes } from '@clearframe/contract';
import sharp from 'sharp';
import type { ApiClient } from '../support/api-client.ts';
import { until } from '../support/product/until.ts';
import { submitVideo } from '../support/video-page.ts';
import { degrade, enhance, type Picture, repairedPrint, SAMPLES, TIMEOUT_MS, yellowed } from './sample-pictures.ts';
import { ffmpeg, inFolder } from './tool-clips.ts';

const PORTRAIT = fileURLToPath(new URL('../../worker/test/fixtures/astronaut.jpg', import.meta.url));

/** What the clips and offers show; all of it made by the product. */
export type ProductResults = Awaited<ReturnType<typeof makeProductResults>>;

export async function makeProductResults(account: ApiClient) {
  const made = async (before: Buffer, pipeline?: AiPipeline) => ({
    before,
    after: (await enhance(account, before, pipeline)).picture,
  });
  const sample = async (name: string) => {
    const found = SAMPLES.find((one) => one.name === name);
    if (!found) throw new Error(`no sample ${name}`);
    return degrade(found);
  };
  const before = await sample('astronaut');
  const { picture: after, changes } = await enhance(account, before);
  if (!changes) throw new Error('the portrait has no map of changes');
  const portrait = { before, after };
  const coffee = await made(await sample('coffee'));
  const cat = await made(await sample('chelsea'));
  const look = async (model: 'golden' | 'teal' | 'muted' | 'silky') =>
    (await made(coffee.after, { colorEnhance: { model } })).after;
  const model = async (name: 'v1' | 'v2') =>
    (await made(before, { faceEnhance: { model: name }, backgroundEnhance: { model: 'base' } })).after;
  return {
    portrait,
    scratched: await repairedPrint(await readFile(PORTRAIT)),
    print: await made(await yellowed(await readFile(PORTRAIT)), { fade: { model: 'base' } }),
    coffee,
    cat,
    changes,
    looks: [await look('golden'), await look('teal'), await look('muted'), await look('silky')],
    glam: (await made(after, { faceLifting: { model: 'glam' } })).after,
    models: [await model('v1'), await model('v2')],
    blurred: (await made(await readFile(PORTRAIT), { bokeh: { model: 'high' } })).after,
    video: await makeVideoFrame(account),
  };
}

/** A frame of a small, soft video and of what the product makes of it. */
async function makeVideoFrame(account: ApiClient): Promise<Picture> {
  return inFolder(async (folder) => {
    const file = (name: string) => join(folder, name);
    const still = sharp(PORTRAIT).extract({ left: 0, top: 0, width: 512, height: 288 });
    await still.blur(1.2).resize(480, 270).png().toFile(file('still.png'));
    const pan = "zoompan=z='1+0.1*on/25':d=25:s=480x270:fps=25";
    await ffmpeg(['-i', file('still.png'), '-vf', pan, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', file('in.mp4')]);
    const videoTaskId = await submitVideo(account, await readFile(file('in.mp4')));
    const finished = async () => {
      const task = await account.call(videoRoutes.getVideoTask, { params: { videoTaskId } });
      return hasResult(task.status) ? task : null;
    };
    const { result } = await until('the video has a result', finished, { deadlineMs: TIMEOUT_MS });
    if (!result?.outputUrl) throw new Error('no result');
    await writeFile(file('out.mp4'), Buffer.from(await (await fetch(result.outputUrl)).arrayBuffer()));
    const frame = async (name: string) => {
      await ffmpeg(['-ss', '0.5', '-i', file(name), '-frames:v', '1', file(`${name}.png`)]);
      return readFile(file(`${name}.png`));
    };
    return { before: await frame('in.mp4'), after: await frame('out.mp4') };
  });
}
