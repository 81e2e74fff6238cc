import { type AiPipeline, isFinal, resultRoutes } from '@clearframe/contract';
import { ApiClient } from '../tests/support/api-client.ts';
import { subscribe } from '../tests/support/payments/purchases.ts';
import { blurredPortrait } from '../tests/support/portrait.ts';
import { type Product, startProduct } from '../tests/support/product/product.ts';
import { until } from '../tests/support/product/until.ts';
import { processorSecondsOf } from './support/processes.ts';
import { publish, table } from './support/results.ts';

const SIZES = [
  { width: 1400, height: 1400 },
  { width: 2048, height: 1536 },
] as const;
const RUNS = 3;
/** A picture of neither size makes the worker forget the last one. */
const OTHER = { width: 640, height: 480 } as const;

const RESTORED: AiPipeline = { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' } };

/** Changes of a restored picture. Each run has another strength, so that each gives a new result. */
const CHANGES: Readonly<Record<string, (strength: number) => AiPipeline>> = {
  'another strength': (strength) => ({ ...RESTORED, faceEnhance: { model: 'base', strength } }),
  'a look': (strength) => ({ ...RESTORED, colorEnhance: { model: 'teal', strength } }),
  'a background blur': (strength) => ({ ...RESTORED, bokeh: { model: 'medium', strength } }),
  'a beautify style': (strength) => ({ ...RESTORED, faceLifting: { model: 'glam', strength } }),
};

interface Cost {
  /** Resolves when the API says that it is done. */
  readonly wallMs: number;
  readonly processorSeconds: number;
}

async function costOf(product: Product, work: () => Promise<unknown>): Promise<Cost> {
  const worker = await product.pidOf('worker');
  const before = processorSecondsOf(worker);
  const start = performance.now();
  await work();
  return { wallMs: performance.now() - start, processorSeconds: processorSecondsOf(worker) - before };
}

const POLL = { longestPauseMs: 20 };

async function change(account: ApiClient, taskId: string, aiPipeline: AiPipeline): Promise<void> {
  const { bulkUploadId } = await account.task(taskId);
  await account.call(resultRoutes.reprocessTasks, {
    params: { bulkUploadId },
    body: { inputReprocessList: [{ clientTaskId: taskId, aiPipeline }] },
  });
  await until('the change is applied', async () => isFinal((await account.task(taskId)).status), POLL);
}

const readLooks = (account: ApiClient, taskId: string): Promise<unknown> =>
  until(
    'the looks are there',
    async () => (await account.call(resultRoutes.createLooks, { params: { taskId } })).status === 'ready',
    POLL,
  );

async function repeat(measure: (run: number) => Promise<Cost>): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (let run = 0; run < RUNS; run++) costs.push(await measure(run));
  return costs;
}

const least = (values: readonly number[]): number => Math.min(...values);

export async function benchChanges(): Promise<void> {
  const product = await startProduct();
  try {
    const account = await ApiClient.logIn(product.url, 'changes@example.com');
    await subscribe(account, 'business');
    const rows: string[][] = [];
    for (const { width, height } of SIZES) {
      const costs = await costsAt(product, account, await blurredPortrait(width, height));
      rows.push(...costs.map(([name, runs]) => [name, `${width} × ${height}`, ...leastOf(runs)]));
    }
    await publish(
      'changes',
      'A change of a restored picture',
      [
        `Best of ${RUNS}, restored before; from the request to the finished result. The first change of its kind follows another picture;`,
        'others follow a change of the same kind.',
        '',
        table([['change', 'pixels', 'processor seconds of the worker', 'seconds'], ...rows]),
        '',
        'Bar: a change of color, blur or strength under 1 s, looks under 2 s.',
      ].join('\n'),
    );
  } finally {
    await product.stop();
  }
}

async function costsAt(product: Product, account: ApiClient, picture: Buffer): Promise<[string, Cost[]][]> {
  const taskId = await account.enhance(picture, 'portrait.jpg', RESTORED);
  const otherId = await account.enhance(await blurredPortrait(OTHER.width, OTHER.height), 'other.jpg', RESTORED);
  const costs: [string, Cost[]][] = [];
  for (const [name, pipelineOf] of Object.entries(CHANGES)) {
    const changeTo = (strength: number) => costOf(product, () => change(account, taskId, pipelineOf(strength)));
    const first = await repeat(async (run) => {
      // Loads the networks, and replaces what the worker keeps of the last picture.
      await change(account, otherId, pipelineOf(0.5 + run / 10));
      return changeTo(0.9 + run / 100);
    });
    costs.push([`${name}, first`, first], [`${name}, again`, await repeat((run) => changeTo(0.5 + run / 10))]);
  }
  const others = await Promise.all(
    Array.from({ length: RUNS + 1 }, () => account.enhance(picture, 'portrait.jpg', RESTORED)),
  );
  const [first = taskId, ...rest] = others;
  await readLooks(account, first);
  const looks = await repeat((run) => costOf(product, () => readLooks(account, rest[run] ?? first)));
  return [...costs, ['the thumbnails of 15 looks', looks]];
}

const leastOf = (runs: readonly Cost[]): string[] => [
  least(runs.map(({ processorSeconds }) => processorSeconds)).toFixed(2),
  (least(runs.map(({ wallMs }) => wallMs)) / 1000).toFixed(2),
];
