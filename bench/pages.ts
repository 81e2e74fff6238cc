/** Scores of Lighthouse, which npm fetches when this is run: it isn't a dependency. Needs Chromium. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { z } from 'zod';
import { signIn } from '../tests/support/members.ts';
import { startProduct, USUAL_PRIORITY } from '../tests/support/product/product.ts';
import { publish, quantile, table } from './support/results.ts';

const run = promisify(execFile);

const LIGHTHOUSE = 'lighthouse@12.8.2';
const SAMPLE = fileURLToPath(new URL('../web/public/samples/astronaut.jpg', import.meta.url));
const RUNS = 3;
/** Lighthouse's report of a page has some 1 MB. */
const REPORT_BYTES = 64e6;
/** Lighthouse's own profiles: a slow phone on a slow network, and a desktop. */
const PROFILES = { phone: [], desktop: ['--preset=desktop'] } as const;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const METRICS = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'] as const;
const LAYOUT_SHIFT = 'cumulative-layout-shift';

const Report = z.object({
  categories: z.record(z.enum(CATEGORIES), z.object({ score: z.number() })),
  audits: z.record(z.string(), z.looseObject({ numericValue: z.number().optional() })),
});
type Report = z.infer<typeof Report>;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
}

/** Paths beside home and result, by a member without a plan. Only the phone's profile: the desktop's is easier. */
const OTHERS = {
  pricing: '/pricing',
  checkout: '/checkout?priceId=sbx_price_personal_monthly_usd',
  account: '/account/general',
  help: '/help',
  developers: '/developers',
  plugin: '/plugin',
} as const;

/** One load of a page in the browser that listens on `port`, with its cookies. Chromium sometimes loses a trace. */
async function audit(url: string, port: number, profile: readonly string[], tries = 3): Promise<Report> {
  const browser = [`--port=${port}`, '--disable-storage-reset'];
  const output = ['--output=json', '--quiet', ...profile];
  const command = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url, ...browser, ...output];
  try {
    const { stdout } = await run('npm', command, { maxBuffer: REPORT_BYTES });
    return Report.parse(JSON.parse(stdout));
  } catch (error) {
    const reason = error instanceof Error && 'stderr' in error ? error.stderr : error;
    if (tries === 1 || !String(reason).includes('NO_NAVSTART')) throw new Error(`${url}: ${reason}`);
    return audit(url, port, profile, tries - 1);
  }
}

function rowOf(name: string, reports: readonly Report[]): readonly (string | number)[] {
  const median = (value: (report: Report) => number | undefined) =>
    quantile(
      reports.map((report) => value(report) ?? Number.NaN),
      0.5,
    );
  return [
    name,
    ...CATEGORIES.map((category) => (median(({ categories }) => categories[category].score) * 100).toFixed(0)),
    ...METRICS.map((metric) => median(({ audits }) => audits[metric]?.numericValue).toFixed(0)),
    median(({ audits }) => audits[LAYOUT_SHIFT]?.numericValue).toFixed(3),
  ];
}

export async function benchPages(): Promise<void> {
  const product = await startProduct(USUAL_PRIORITY);
  const profileFolder = await mkdtemp(join(tmpdir(), 'clearframe-bench-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profileFolder, {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  });
  try {
    const page = await context.newPage();
    await page.goto(product.url);
    await page.locator('input[type=file]').first().setInputFiles(SAMPLE);
    await page.waitForURL(/\/result\?taskId=/);
    const addresses = { home: product.url, result: page.url() };
    await page.goto('about:blank');
    const rows: (readonly (string | number)[])[] = [
      ['page', ...CATEGORIES, 'first paint, ms', 'largest paint, ms', 'blocking, ms', 'layout shift'],
    ];
    const measure = async (name: string, url: string, form: keyof typeof PROFILES) => {
      const reports: Report[] = [];
      for (let count = 0; count < RUNS; count++) reports.push(await audit(url, port, PROFILES[form]));
      rows.push(rowOf(`${name}, ${form}`, reports));
    };
    for (const [name, url] of Object.entries(addresses)) {
      await measure(name, url, 'phone');
      await measure(name, url, 'desktop');
    }
    await signIn(page, product.url, 'pages@example.com');
    await page.goto('about:blank');
    for (const [name, path] of Object.entries(OTHERS)) await measure(name, product.url + path, 'phone');
    const text = [
      `${LIGHTHOUSE}, medians of ${RUNS} loads. Home and result by a guest, the others by a member without a plan.`,
      table(rows),
      'Bars: each score at least 95 on home and result, with the largest paint under 1500 ms and no layout shift; 90 on others.',
    ];
    const last = await readFile(new URL('results/pages.md', import.meta.url), 'utf8');
    // The section of the build is measured by hand.
    const build = last.slice(last.indexOf('## Scripts and the build')).trim();
    await publish('pages', 'Pages in Lighthouse', [...text, build].join('\n\n'));
  } finally {
    await context.close();
    await product.stop();
    await rm(profileFolder, { recursive: true, force: true });
  }
}
