import type { Browser, Page } from 'playwright-core';
import { bundleStandIns, filesOf } from '../../plugin/test/browser/bundle.ts';
import { openPage, type WatchedPage } from './browser/browser.ts';

/** Served from the product's origin, as UXP knows no other origins. */
const PATH = '/photoshop/';
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  png: 'image/png',
};

/** Of panels docked beside a document. */
export const NARROW = { width: 230, height: 700 } as const;

interface PanelOptions extends NonNullable<Parameters<typeof openPage>[2]> {
  /** The packed plug-in. */
  readonly ccx: Uint8Array;
  /** Of Photoshop, as in `de_DE`. */
  readonly uiLocale?: string;
}

let standIns: Promise<string> | undefined;

/** The panel of a packed plug-in beside a Photoshop in memory (`photoshopHost`), which has no document yet. */
export async function openPanel(
  browser: Browser,
  origin: string,
  { ccx, uiLocale = 'en_US', ...options }: PanelOptions,
): Promise<WatchedPage> {
  const files = filesOf(ccx);
  standIns ??= bundleStandIns();
  const watched = await openPage(browser, origin, { viewport: NARROW, ...options });
  const { page } = watched;
  await page.addInitScript(await standIns);
  await page.addInitScript((locale) => {
    photoshopHost.uiLocale = locale;
  }, uiLocale);
  await page.route(`${origin}${PATH}*`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(PATH.length);
    const content = files[name];
    const contentType = TYPES[name.split('.').at(-1) ?? ''];
    return content ? route.fulfill({ body: Buffer.from(content), contentType }) : route.fulfill({ status: 404 });
  });
  await page.goto(`${PATH}index.html`);
  return watched;
}

/** As Photoshop does once, when the panel is opened. */
export const showPanel = (page: Page): Promise<void> =>
  page.evaluate(() => photoshopHost.entrypoints?.panels.main?.show());

/**
 * A picture as the only layer of a new document.
 * @param rgba in Photoshop's range, which for 16 bits ends at 32,768
 */
export const openDocument = (
  page: Page,
  { rgba, ...options }: { name: string; width: number; height: number; depth?: 8 | 16; rgba: Uint8Array | Uint16Array },
): Promise<void> =>
  page.evaluate(
    ({ base64, options }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const samples = options.depth === 16 ? new Uint16Array(bytes.buffer) : bytes;
      const document = photoshopHost.open(options);
      document.addLayer('Portrait', (x, y) => [...samples.subarray((y * options.width + x) * 4).subarray(0, 4)]);
      for (const listener of photoshopHost.listeners) listener();
    },
    { options, base64: Buffer.from(rgba.buffer, rgba.byteOffset, rgba.byteLength).toString('base64') },
  );
