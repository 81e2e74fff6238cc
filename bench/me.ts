import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BASE_PATH, inMilliseconds } from '@clearframe/contract';
import { freePort } from '../runtime/test/ports.ts';
import { type DatabaseClient, environmentOf, withDatabase } from '../tests/support/product/database.ts';
import { type Product, startProduct } from '../tests/support/product/product.ts';
import { until } from '../tests/support/product/until.ts';
import { publish, quantile, table } from './support/results.ts';
import { emailOf, seedUsers } from './support/users.ts';
import { type CapturedStatement, tapWire, type WireTap } from './support/wire-tap.ts';

const USERS = 100_000;
const CALLERS = 50;
const CALLS = 1_000;
const API = fileURLToPath(new URL('../api/dist/main.js', import.meta.url));
const BAR = { statements: 3, ms: 10 };

async function startTappedApi(product: Product, tap: WireTap): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [API], {
    env: {
      ...(await environmentOf(product, 'api')),
      DATABASE_URL: tap.url,
      API_PORT: String(port),
      API_ROLE: 'http',
      LIMIT_LOGINS_PER_10_MINUTES: '1000000',
      LIMIT_READS_PER_MINUTE: '1000000',
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the tapped api answers', async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok);
  return { url, process: child };
}

async function post(url: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer.json();
}

async function logIn(url: string, email: string): Promise<string> {
  const { id_token } = await post(`${url}/api/sandbox/identity/tokens`, { provider: 'google', email });
  const { access_token = '' } = await post(`${url}${BASE_PATH}/users/login`, { firebase_id_token: id_token });
  return access_token;
}

interface Call {
  readonly ms: number;
  readonly statements: readonly CapturedStatement[];
}

async function requestMe(url: string, token: string, tap: WireTap): Promise<Call> {
  tap.take();
  const start = performance.now();
  const answer = await fetch(`${url}${BASE_PATH}/users/@me`, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`@me answered ${answer.status}`);
  return { ms: performance.now() - start, statements: tap.take() };
}

async function measure(url: string, tap: WireTap): Promise<Call[]> {
  const stride = Math.floor(USERS / CALLERS);
  const tokens: string[] = [];
  for (let n = 0; n < CALLERS; n += 1) tokens.push(await logIn(url, emailOf(n * stride)));
  for (const token of tokens) await requestMe(url, token, tap);
  const calls: Call[] = [];
  for (let n = 0; n < CALLS; n += 1) calls.push(await requestMe(url, tokens[n % CALLERS] ?? '', tap));
  return calls;
}

/** A call's own statements occur in most calls. */
function withoutOtherWork(calls: readonly Call[]): Call[] {
  const counts = new Map<string, number>();
  for (const { statements } of calls)
    for (const sql of new Set(statements.map((statement) => statement.sql)))
      counts.set(sql, (counts.get(sql) ?? 0) + 1);
  const isOwn = ({ sql }: CapturedStatement): boolean => (counts.get(sql) ?? 0) > calls.length / 2;
  return calls.map(({ ms, statements }) => ({ ms, statements: statements.filter(isOwn) }));
}

async function explainAll(client: DatabaseClient, calls: readonly Call[]): Promise<ExplainedStatement[][]> {
  const explained: ExplainedStatement[][] = [];
  for (const { statements } of calls) explained.push(await explain(client, statements));
  return explained;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const spread = (name: string, values: readonly number[], digits: number): string[] => [
  name,
  ...[0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(digits)),
];

/** `GET /users/@me` with 100,000 users: statements per call, and their time in PostgreSQL. */
export async function benchMe(): Promise<void> {
  const product = await startProduct();
  try {
    const { DATABASE_URL = '' } = await environmentOf(product, 'api');
    const seeded = await withDatabase(DATABASE_URL, (client) => seedUsers(client, USERS));
    const tap = await tapWire(DATABASE_URL);
    const api = await startTappedApi(product, tap);
    const calls = withoutOtherWork(await measure(api.url, tap));
    const ended = once(api.process, 'exit', { signal: AbortSignal.timeout(inMilliseconds.seconds(10)) });
    api.process.kill('SIGTERM');
    await ended;
    await tap.stop();
    const explained = await withDatabase(DATABASE_URL, (client) => explainAll(client, calls.slice(-CALLERS)));
    await publish(
      'me',
      '`GET /users/@me` among many',
      [
        `${seeded}; ${CALLS} calls, one after the other, by ${CALLERS} users spread over the table.`,
        '',
        table([
          ['a call', 'median', '95 %', 'most'],
          spread(
            'statements',
            calls.map(({ statements }) => statements.length),
            0,
          ),
          spread(
            'ms in PostgreSQL, by its own clock',
            explained.map((plans) => sum(plans.map(({ planningMs, executionMs }) => planningMs + executionMs))),
            2,
          ),
          spread(
            'ms until it had answered, as the api saw it',
            calls.map(({ statements }) => sum(statements.map(({ ms }) => ms))),
            2,
          ),
          spread(
            'ms for the caller',
            calls.map(({ ms }) => ms),
            2,
          ),
        ]),
        '',
        'The statements of one of them (`EXPLAIN (ANALYZE)`, which the first clock is read from):',
        '',
        table([
          ['statement', 'planning ms', 'execution ms', 'reads'],
          ...(explained.at(-1) ?? []).map(({ sql, planningMs, executionMs, scans }) => [
            `\`${sql}\``,
            planningMs.toFixed(3),
            executionMs.toFixed(3),
            scans.join(', '),
          ]),
        ]),
        '',
        `Bar: at most ${BAR.statements} statements, under ${BAR.ms} ms in PostgreSQL.`,
      ].join('\n'),
    );
  } finally {
    await product.stop();
  }
}

interface ExplainedStatement {
  readonly sql: string;
  readonly planningMs: number;
  readonly executionMs: number;
  readonly scans: readonly string[];
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

const SHOWN = 90;

function scansOf(plan: Plan): string[] {
  const { 'Node Type': type, 'Index Name': index, 'Relation Name': relation } = plan;
  const own = type.includes('Scan') ? [`${type} ${index ?? relation ?? ''}`.trim()] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

function shortened(sql: string): string {
  const line = sql.replace(/\s+/g, ' ').replaceAll('`', "'").replaceAll('|', '\\|').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

export async function explain(
  client: DatabaseClient,
  statements: readonly CapturedStatement[],
): Promise<ExplainedStatement[]> {
  const explained: ExplainedStatement[] = [];
  for (const { sql, parameters } of statements) {
    const { rows } = await client.query({
      text: `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      values: [...parameters],
    });
    const [answer] = rows[0]['QUERY PLAN'] as { Plan: Plan; 'Planning Time': number; 'Execution Time': number }[];
    if (!answer) throw new Error(`no plan for ${sql}`);
    explained.push({
      sql: shortened(sql),
      planningMs: answer['Planning Time'],
      executionMs: answer['Execution Time'],
      scans: scansOf(answer.Plan),
    });
  }
  return explained;
}
