import { ApiClient } from '../tests/support/api-client.ts';
import { type DatabaseClient, environmentOf, withDatabase } from '../tests/support/product/database.ts';
import { type Product, startProduct } from '../tests/support/product/product.ts';
import { until } from '../tests/support/product/until.ts';
import { publish, quantile, table } from './support/results.ts';
import { StubWorker } from './support/stub-worker.ts';

const USERS = 20;
const HEAVY = 500;
const WORK_MS = 200;
/** Runs for the pace of dispatch, and calls of `@me`. */
const PACE_RUNS = 200;
const CALLS = 300;
const FINISHED = [1_000, 1_000_000] as const;
/** The last one is what `QUEUE_MAX_WAITING` allows. */
const WAITING = [200, 20_000] as const;
const BAR = 1.2;

interface Stage {
  readonly product: Product;
  readonly client: DatabaseClient;
  readonly redisUrl: string;
  readonly guests: readonly ApiClient[];
  readonly userIds: readonly string[];
}

async function measureFirstStarts(stage: Stage, heavyPictures: number): Promise<number[]> {
  const [heavy = '', ...others] = stage.userIds;
  await addRuns(stage.client, heavy, heavyPictures);
  const stub = new StubWorker(stage.redisUrl, 'images', WORK_MS);
  await until('the first picture starts', async () => stub.starts.length > 0);
  const sent = performance.now();
  const firsts: string[] = [];
  for (const userId of others) firsts.push(...(await addRuns(stage.client, userId, 1)));
  const startOf = (taskId: string) => stub.starts.find(({ subjectId }) => subjectId === taskId)?.at;
  await until('every first picture has started', async () => firsts.every((taskId) => startOf(taskId) !== undefined));
  await endRuns(stage.client);
  await stub.stop();
  return firsts.map((taskId) => (startOf(taskId) ?? Number.NaN) - sent);
}

async function measurePace({ client, redisUrl, userIds }: Stage, waiting = PACE_RUNS): Promise<number> {
  for (const userId of userIds) await addRuns(client, userId, waiting / userIds.length);
  const stub = new StubWorker(redisUrl, 'images', 0);
  await until('all runs have started', async () => stub.starts.length >= PACE_RUNS);
  await stub.stop();
  await endRuns(client);
  const gaps = stub.starts.slice(1).map(({ at }, index) => at - (stub.starts[index]?.at ?? at));
  return quantile(gaps, 0.5);
}

async function measureMeLatency({ guests: [guest] }: Stage): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const start = performance.now();
    await guest?.me();
    times.push(performance.now() - start);
  }
  return quantile(times, 0.5);
}

async function measureScale(stage: Stage): Promise<{ finished: number; paceMs: number; meMs: number }[]> {
  const rows = [];
  let there = 0;
  for (const finished of FINISHED) {
    await addFinishedRuns(stage.client, stage.userIds[1] ?? '', finished - there);
    there = finished;
    rows.push({ finished, paceMs: await measurePace(stage), meMs: await measureMeLatency(stage) });
  }
  return rows;
}

async function report(stage: Stage): Promise<void> {
  const alone = await measureFirstStarts(stage, 1);
  const contended = await measureFirstStarts(stage, HEAVY);
  const backlog = [];
  for (const waiting of WAITING) backlog.push({ waiting, paceMs: await measurePace(stage, waiting) });
  const scale = await measureScale(stage);
  const seconds = (values: readonly number[], share: number): string => (quantile(values, share) / 1000).toFixed(2);
  const [few, many] = scale;
  const ratio = (of: 'paceMs' | 'meMs'): string => ((many?.[of] ?? Number.NaN) / (few?.[of] ?? Number.NaN)).toFixed(2);
  await publish(
    'fairness',
    'Fair dispatch',
    [
      `${USERS} users; a stub takes ${WORK_MS} ms for each picture, one at a time. Seconds until the first picture of the other ${USERS - 1} begins:`,
      '',
      table([
        ['the heavy user sends', 'median', '95 %', 'last'],
        ['1 picture', ...[0.5, 0.95, 1].map((share) => seconds(alone, share))],
        [`${HEAVY} pictures`, ...[0.5, 0.95, 1].map((share) => seconds(contended, share))],
      ]),
      '',
      `Median while many runs of ${USERS} users wait:`,
      '',
      table([
        ['waiting runs', 'ms from run to run'],
        ...backlog.map(({ waiting, paceMs }) => [waiting.toLocaleString('en-US'), paceMs.toFixed(1)]),
      ]),
      '',
      'Medians among many finished runs:',
      '',
      table([
        ['finished runs', 'ms from run to run', 'ms of `GET /users/@me`'],
        ...scale.map(({ finished, paceMs, meMs }) => [
          finished.toLocaleString('en-US'),
          paceMs.toFixed(1),
          meMs.toFixed(2),
        ]),
      ]),
      '',
      `Ratios: ${ratio('paceMs')} and ${ratio('meMs')} (bar: ${BAR}).`,
    ].join('\n'),
  );
}

export async function benchFairness(): Promise<void> {
  // Leaves the pictures to the stub.
  const product = await startProduct({ WORKER_QUEUES: 'renders' });
  try {
    const { DATABASE_URL = '', REDIS_URL: redisUrl = '' } = await environmentOf(product, 'api');
    const guests: ApiClient[] = [];
    for (let n = 0; n < USERS; n += 1) guests.push(await ApiClient.createGuest(product.url));
    const userIds = (await Promise.all(guests.map((guest) => guest.me()))).map(({ webUserId }) => webUserId);
    await withDatabase(DATABASE_URL, (client) => report({ product, client, redisUrl, guests, userIds }));
  } finally {
    await product.stop();
  }
}

async function addRuns(client: DatabaseClient, userId: string, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH upload AS (
       INSERT INTO bulk_uploads (id, user_id, created_at) VALUES (gen_random_uuid(), $1, now()) RETURNING id
     ), task AS (
       INSERT INTO tasks (id, bulk_upload_id, user_id, position, status, ai_pipeline, output_content_type, jpeg_quality,
         content_type, run_id, rendition, processing, created_at, expires_at)
       SELECT gen_random_uuid(), upload.id, $1, n, 'processing', '{"faceEnhance": {"model": "base"}}', 'image/jpeg', 90,
         'image/jpeg', gen_random_uuid(),
         '{"contentType": "image/jpeg", "jpegQuality": 90, "watermark": true, "maxSide": null}',
         '{"maxSide": 2048, "faceDetectorMaxInput": 800, "isPreview": false}', now(), now() + interval '1 day'
       FROM upload, generate_series(1, $2::int) n RETURNING id, run_id
     ), run AS (
       INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, created_at, turn)
       SELECT run_id, 'image.enhance', id, $1, 'images', 1, 'waiting', clock_timestamp(), row_number() OVER () + coalesce(
         (SELECT turn FROM runs WHERE queue = 'images' AND dispatched_at IS NOT NULL ORDER BY dispatched_at DESC LIMIT 1), 0)
       FROM task
     )
     SELECT id FROM task`,
    [userId, count],
  );
  return rows.map(({ id }) => id);
}

async function addFinishedRuns(client: DatabaseClient, userId: string, count: number): Promise<void> {
  await client.query(
    `INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, created_at, dispatched_at, started_at,
       finished_at)
     SELECT gen_random_uuid(), 'image.enhance', gen_random_uuid(), $1, 'images', 1, 'completed', at, at, at, at
     FROM (SELECT now() - random() * interval '30 days' AS at FROM generate_series(1, $2::int)) finished`,
    [userId, count],
  );
  await client.query('VACUUM ANALYZE runs');
}

async function endRuns(client: DatabaseClient): Promise<void> {
  await client.query(`UPDATE runs SET status = 'cancelled', finished_at = now() WHERE finished_at IS NULL`);
}
