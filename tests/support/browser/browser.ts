import { buffer } from 'node:stream/consumers';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Download,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { linesForRequest } from '../product/logs.ts';

/** Set by `npm test`; the default is Debian's. */
const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Limit of one step, on a busy machine. */
const STEP_TIMEOUT_MS = 110_000;

const LAUNCH_OPTIONS = {
  executablePath: EXECUTABLE,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    // Enabled by Debian; without a GPU it costs several times as much.
    '--disable-gpu-rasterization',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
};

export const launchBrowser = (): Promise<Browser> => chromium.launch(LAUNCH_OPTIONS);

/**
 * Shared by the files that a worker of Vitest runs; ends with it. Playwright's server runs in the worker, too: over a
 * connection, both sides would encode and decode each message.
 */
let shared: Promise<Browser> | undefined;

async function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  if (!(await shared).isConnected()) shared = launchBrowser();
  return shared;
}

export function useBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    // Tests that failed leave theirs open.
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  return () => browser;
}

export interface WatchedPage {
  readonly page: Page;
  /** Fails on any console error or warning, failed request or uncaught error so far. */
  expectNoErrors(): void;
  close(): Promise<void>;
}

interface PageOptions extends BrowserContextOptions {
  /** Status of a response that the test expects, although Chromium reports it as an error. */
  readonly expectedStatus?: number;
  /** Other origins that the page may request. */
  readonly allowedOrigins?: readonly string[];
  /** Consent dialogs cover the page after purchases, first logins and downloads; by default they count as answered. */
  readonly asksForConsent?: boolean;
  /** Shows the cookie banner; by default cookies count as refused. */
  readonly asksForCookies?: boolean;
}

function countConsentsAsAsked(): void {
  try {
    for (const consent of ['marketing', 'image-training'])
      localStorage.setItem(`clearframe:${consent}-consent-shows`, '1');
  } catch {
    // Pages without an origin have no storage.
  }
}

/** Chromium reports 4xx and 5xx responses as console errors; tests list an expected status. */
export async function openPage(browser: Browser, origin: string, options: PageOptions = {}): Promise<WatchedPage> {
  const {
    expectedStatus,
    allowedOrigins = [],
    asksForConsent = false,
    asksForCookies = false,
    ...contextOptions
  } = options;
  // Animations are painted in software; tests of motion enable them.
  const defaults = { baseURL: origin, locale: 'en-US', reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...defaults, ...contextOptions });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  if (!asksForConsent) await context.addInitScript(countConsentsAsAsked);
  if (!asksForCookies) await context.addCookies([{ name: 'clearframe_cookies', value: '', url: origin }]);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (expectedStatus && message.text().includes(`status of ${expectedStatus}`)) return;
    // Depends on the time that a page takes.
    if (message.text().includes('was preloaded using link preload but not used within a few seconds')) return;
    // Remix logs a navigation that another one aborts while its data arrive.
    if (message.text().startsWith('AbortError: signal is aborted without reason')) return;
    // Chromium's message about a failed resource has only the status.
    const { url } = message.location();
    errors.push(`${message.type()}: ${message.text()}${url ? ` (${url})` : ''}`);
  });
  page.on('response', (response) => {
    const status = response.status();
    if (status < 500 || status === expectedStatus) return;
    const id = response.headers()['x-request-id'];
    errors.push(`${status}: ${response.url()}`, ...(id ? linesForRequest(origin, id) : []));
  });
  page.on('requestfailed', (request) => {
    // Without JavaScript the browser drops preloaded scripts.
    if (options.javaScriptEnabled === false && request.resourceType() === 'script') return;
    // Navigations abort requests.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') errors.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (/^https?:$/.test(protocol) && ![origin, ...allowedOrigins].includes(target))
      errors.push(`request to another origin: ${request.url()}`);
  });
  return {
    page,
    expectNoErrors: () => expect(errors).toEqual([]),
    close: () => context.close(),
  };
}

/** Stores the choice as the language switch does: a context with another locale would load styles and scripts again. */
export const storeLanguage = (page: Page, url: string, tag: string): Promise<void> =>
  page
    .context()
    .addCookies([{ name: 'clearframe_language', value: encodeURIComponent(btoa(JSON.stringify(tag))), url }]);

export const bytesOf = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream());

/** Waits until an element is within the screen. */
export const untilInView = (element: Locator) =>
  expect
    .poll(() =>
      element.evaluate((found) => {
        const { top, bottom } = found.getBoundingClientRect();
        return top >= 0 && bottom <= document.documentElement.clientHeight;
      }),
    )
    .toBe(true);
