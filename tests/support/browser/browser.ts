import { buffer } from 'node:stream/consumers';
import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type Download,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';

/** Debian's place; `npm test` finds or installs one and says where. */
const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** For one step, in milliseconds. A machine that does two things at once is slow, not wrong. */
const PATIENCE_MS = 110_000;

const LAUNCH_OPTIONS = {
  executablePath: EXECUTABLE,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    // Debian switches it on. Without a graphics card it is done in software, at several times the cost.
    '--disable-gpu-rasterization',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
};

export const launchBrowser = (): Promise<Browser> => chromium.launch(LAUNCH_OPTIONS);

/** A browser that test files connect to. Their contexts end with their connections. */
export const launchSharedBrowser = (): Promise<BrowserServer> => chromium.launchServer(LAUNCH_OPTIONS);

/** A connection to the run's browser, for the tests of the file, or of the `describe`, that calls this. */
export function useBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.connect(inject('browserEndpoint'));
  });
  afterAll(async () => {
    await browser?.close();
  });
  return () => browser;
}

/** A page that remembers everything that should not have happened on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Fails on any console error or warning, failed request or uncaught error since the page was opened. */
  expectQuiet(): void;
  close(): Promise<void>;
}

interface PageOptions extends BrowserContextOptions {
  /** Of an answer that the test asks for and Chromium would complain about. */
  readonly expectedStatus?: number;
  /** Other origins that the page may talk to. */
  readonly neighbours?: readonly string[];
}

/** Chromium reports an answer of 4xx or 5xx to a page's own request as an error; a test that asks for one says so. */
export async function openPage(browser: Browser, origin: string, options: PageOptions = {}): Promise<WatchedPage> {
  const { expectedStatus, neighbours = [], ...contextOptions } = options;
  // Each frame of an animation is painted in software. Tests of motion ask for it.
  const defaults = { baseURL: origin, locale: 'en-US', reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...defaults, ...contextOptions });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (expectedStatus && message.text().includes(`status of ${expectedStatus}`)) return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    // Without JavaScript the browser gives up the scripts it was told to preload.
    if (options.javaScriptEnabled === false && request.resourceType() === 'script') return;
    // A navigation ends the requests of the page before it.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (/^https?:$/.test(protocol) && ![origin, ...neighbours].includes(target))
      complaints.push(`left the house: ${request.url()}`);
  });
  return {
    page,
    expectQuiet: () => expect(complaints).toEqual([]),
    close: () => context.close(),
  };
}

/** What was downloaded. The browser runs in another process, so that the file has no path here. */
export const bytesOf = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream());
