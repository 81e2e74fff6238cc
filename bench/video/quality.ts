import { parse } from 'node:path';
import { fittingSize } from '../../worker/dist/video/filters.js';
import { probeVideo } from '../../worker/dist/video/probe-video.js';
import { table } from '../support/results.ts';
import { type BenchWork, H264 } from './bench-work.ts';
import { compareVideos, measureFaceSteps } from './measures.ts';

const { signal } = new AbortController();
const MAX_SIDE = 1920;
const DEGRADED = {
  compressed: ['-vf', 'scale=iw/2:-2:flags=area,scale=iw*2:ih*2:flags=bicubic', '-crf', '34'],
  noisy: ['-vf', 'noise=c0s=14:c0f=t+u', '-crf', '26'],
} as const;
const FFMPEG_FILTERS = 'hqdn3d,unsharp=5:5:0.6';
/** No further degradation is measured after this time. */
const BUDGET_S = 170;

export async function measureQuality(work: BenchWork, clips: readonly string[]): Promise<string> {
  const head = ['Clip', 'PSNR', 'SSIM', 'Flicker of still parts', 'Steps of faces', 'to source'];
  const rows: (readonly (string | number)[])[] = [head];
  const started = performance.now();
  for (const truth of clips) {
    for (const [kind, degradation] of Object.entries(DEGRADED)) {
      if (performance.now() - started > BUDGET_S * 1000) continue;
      const source = work.file('source.mp4');
      await work.ffmpeg('-i', truth, ...H264, ...degradation, source);
      const filtered = work.file('filtered.mp4');
      await work.ffmpeg('-i', source, '-vf', FFMPEG_FILTERS, ...H264, '-crf', '20', filtered);
      const results = new Map([
        ['source', source],
        ["ffmpeg's filters", filtered],
      ]);
      for (const recipe of ['signal', 'faces'] as const) results.set(recipe, (await work.enhance(source, recipe)).path);
      let sourceSteps = Number.NaN;
      for (const [name, path] of results) {
        const measured = await measure(work, truth, source, path);
        console.error(`${parse(truth).name}, ${kind}, ${name}: SSIM ${measured.ssim.toFixed(4)}`);
        if (name === 'source') sourceSteps = measured.steps;
        rows.push([
          `${parse(truth).name}, ${kind}: ${name}`,
          measured.psnr.toFixed(2),
          measured.ssim.toFixed(4),
          measured.flicker.toFixed(3),
          Number.isNaN(measured.steps) ? '' : measured.steps.toFixed(4),
          Number.isNaN(measured.steps) ? '' : (measured.steps / sourceSteps).toFixed(2),
        ]);
      }
    }
  }
  const bars =
    "Bars: SSIM no less and flicker no more than the source's; steps of faces at most 1.1 times the source's.";
  return `${table(rows)}\n\n${bars}`;
}

async function measure({ tools, folder }: BenchWork, truth: string, source: string, path: string) {
  const metadata = await probeVideo(tools, truth, { folder, signal });
  const [width, height] = fittingSize(metadata, MAX_SIDE);
  const reading = { tools, folder, width, height };
  const steps = await measureFaceSteps(reading, source, path);
  return { ...(await compareVideos(reading, truth, path)), steps };
}
