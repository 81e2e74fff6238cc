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

/** `npm test` finds or installs a browser and sets the variable; the default is Debian's. */
const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Timeout of one step, in milliseconds, for a busy machine. */
const STEP_TIMEOUT_MS = 110_000;

const LAUNCH_OPTIONS = {
  executablePath: EXECUTABLE,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    // Debian enables it. Without a GPU it costs several times as much.
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

/** A page that records errors. */
export interface WatchedPage {
  readonly page: Page;
  /** Fails on any console error or warning, failed request or uncaught error since the page was opened. */
  expectQuiet(): void;
  close(): Promise<void>;
}

interface PageOptions extends BrowserContextOptions {
  /** Status of a response that Chromium reports as an error and the test expects. */
  readonly expectedStatus?: number;
  /** Other origins that the page may request. */
  readonly allowedOrigins?: readonly string[];
}

/** Chromium reports 4xx and 5xx responses as console errors; a test that expects one names its status. */
export async function openPage(browser: Browser, origin: string, options: PageOptions = {}): Promise<WatchedPage> {
  const { expectedStatus, allowedOrigins = [], ...contextOptions } = options;
  // Frames of animations are painted in software. Tests of motion enable them.
  const defaults = { baseURL: origin, locale: 'en-US', reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...defaults, ...contextOptions });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
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
    if (/^https?:$/.test(protocol) && ![origin, ...allowedOrigins].includes(target))
      complaints.push(`request to another origin: ${request.url()}`);
  });
  return {
    page,
    expectQuiet: () => expect(complaints).toEqual([]),
    close: () => context.close(),
  };
}

/** Content of a download. The browser runs in another process, so the file has no path here. */
export const bytesOf = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream());
