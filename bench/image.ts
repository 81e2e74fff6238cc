import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type AiPipeline,
  type EnhancedImage,
  enhanceImage,
  isFinal,
  parseOutcome,
  taskRoutes,
} from '@clearframe/contract';
import { ApiClient } from '../tests/support/api-client.ts';
import { subscribe } from '../tests/support/payments/purchases.ts';
import { faceInDetail, phonePortrait } from '../tests/support/portrait.ts';
import { type Product, startProduct } from '../tests/support/product/product.ts';
import { until } from '../tests/support/product/until.ts';
import { childrenOf, PeakMemory, peakOf, resetPeak } from './support/processes.ts';
import { publish, table } from './support/results.ts';

const RUNS = 3;
const milliseconds = (value: number): string => value.toFixed(0);

type Timings = EnhancedImage['timings'];

interface Measurement {
  readonly wallMs: number;
  readonly timings: Timings;
}

async function timingsOf(product: Product, taskId: string): Promise<Timings> {
  const folder = join(product.dataFolder, 'media/results', taskId);
  // The display file of the original has a folder of its own.
  const master = (await readdir(folder, { recursive: true })).find((file) => basename(file) === 'master.png') ?? '';
  const report = join(folder, dirname(master), 'report.json');
  const outcome = parseOutcome(enhanceImage, JSON.parse(await readFile(report, 'utf8')));
  if (outcome.kind !== 'completed') throw new Error(`the run ended as ${outcome.kind}`);
  return outcome.result.timings;
}

async function measure(
  product: Product,
  guest: ApiClient,
  picture: Buffer,
  aiPipeline?: AiPipeline,
): Promise<Measurement> {
  const { bulkUploadId, taskId } = await guest.upload(picture, undefined, aiPipeline);
  const start = performance.now();
  await guest.call(taskRoutes.processBulkUpload, { params: { bulkUploadId } });
  const task = await until(
    'the task has ended',
    async () => {
      const current = await guest.task(taskId);
      return isFinal(current.status) ? current : null;
    },
    { longestPauseMs: 50 },
  );
  if (task.status !== 'completed') throw new Error(`the task ended as ${task.status}: ${task.errorCode}`);
  return { wallMs: performance.now() - start, timings: await timingsOf(product, taskId) };
}

const MEGAPIXELS = [12, 24, 50, 100] as const;
const FACE_AND_BACKGROUND: AiPipeline = { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' } };
const SIZES = ['standard', 'original'] as const;

/** Rows of a table: results in the size of their original beside those of at most 2048 pixels, in turns. */
async function measureSizes(product: Product): Promise<string[][]> {
  const account = await ApiClient.logIn(product.url, 'full-size@example.com');
  await subscribe(account, 'business');
  const worker = await product.pidOf('worker');
  const rows: string[][] = [];
  for (const megapixels of MEGAPIXELS) {
    const picture = await faceInDetail(megapixels);
    const best = { standard: Number.POSITIVE_INFINITY, original: Number.POSITIVE_INFINITY };
    const peaks = { worker: 0, inference: 0 };
    for (let run = 0; run < RUNS; run++) {
      for (const outputSize of SIZES) {
        const inference = childrenOf(worker, 'inference/child');
        for (const pid of [worker, ...inference]) resetPeak(pid);
        const { wallMs } = await measure(product, account, picture, { ...FACE_AND_BACKGROUND, outputSize });
        best[outputSize] = Math.min(best[outputSize], wallMs);
        peaks.worker = Math.max(peaks.worker, peakOf(worker));
        peaks.inference = Math.max(peaks.inference, ...inference.map(peakOf));
      }
    }
    rows.push([
      String(megapixels),
      (best.standard / 1000).toFixed(1),
      (best.original / 1000).toFixed(1),
      (best.original / best.standard).toFixed(1),
      String(peaks.worker),
      String(peaks.inference),
    ]);
  }
  return rows;
}

export async function benchImage(): Promise<void> {
  const product = await startProduct();
  try {
    const guest = await ApiClient.createGuest(product.url);
    const picture = await phonePortrait();
    const measurements: Measurement[] = [];
    const memory = new PeakMemory(await product.pidOf('worker'));
    for (let run = 0; run < RUNS; run++) measurements.push(await measure(product, guest, picture));
    const peak = memory.stop() / 1000;
    const [best] = measurements.toSorted((a, b) => a.wallMs - b.wallMs);
    if (!best) throw new Error('nothing was measured');
    // A step contains its parts, `step.part`.
    const steps = best.timings.filter(({ step }) => !step.includes('.'));
    const stepMs = steps.reduce((sum, { ms }) => sum + ms, 0);
    const sessionMs = steps.reduce((sum, step) => sum + step.sessionMs, 0);
    const rows = [
      ['step', 'ms', 'of it in session.run'],
      ...best.timings.map((step) => [step.step, milliseconds(step.ms), milliseconds(step.sessionMs)]),
      ['all steps', milliseconds(stepMs), milliseconds(sessionMs)],
      ['process to completed', milliseconds(best.wallMs), milliseconds(sessionMs)],
    ];
    const seconds = (ms: number): string => (ms / 1000).toFixed(1);
    const bars = [
      ['', 'measured', 'bar'],
      ['whole, s', seconds(best.wallMs), '6'],
      ['outside `session.run`, s', seconds(best.wallMs - sessionMs), '1.2'],
      ["peak memory of the worker's processes, GB", peak.toFixed(2), '1.0'],
    ];
    const sizes = await measureSizes(product);
    await publish(
      'image',
      'One 12-megapixel portrait, face and background',
      [
        `Best of ${RUNS} (${measurements.map(({ wallMs }) => `${seconds(wallMs)} s`).join(', ')}), 3000 × 4000 JPEG of ${(picture.length / 1e6).toFixed(1)} MB.`,
        '',
        table(rows),
        '',
        table(bars),
        '',
        'Memory is the sum of proportional set sizes, sampled while the pictures run.',
        '',
        '## In the size of the original',
        '',
        `A sharp picture with one soft face, face and background, PNG; best of ${RUNS}, in turns with a result of at most 2048 pixels.`,
        "Memory is the greatest resident set of a process, mapped files included, while the worker also renders the original's display files. Bars:",
        'at most 3 times the time at 24 megapixels, 300 MB and 1500 MB.',
        '',
        table([['megapixels', '2048 px, s', 'original, s', 'ratio', 'worker, MB', 'inference, MB'], ...sizes]),
      ].join('\n'),
    );
  } finally {
    await product.stop();
  }
}
