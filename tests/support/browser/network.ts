import type { Page, Request } from 'playwright-core';

export interface Network {
  setOffline(offline: boolean): Promise<void>;
  /** Removes the limit. */
  unlimit(): Promise<void>;
  readonly patches: readonly number[];
}

/** Limits the bytes that the page sends per second, and records the requests of resumable uploads. */
export async function slowUploads(page: Page, bytesPerSecond: number): Promise<Network> {
  const session = await page.context().newCDPSession(page);
  const patches: number[] = [];
  let uploadThroughput = bytesPerSecond;
  page.on('request', (request) => {
    if (request.method() === 'PATCH') patches.push(Number(request.headers()['upload-offset']));
  });
  const setOffline = async (offline: boolean) => {
    await session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  };
  await session.send('Network.enable');
  await setOffline(false);
  const unlimit = () => {
    uploadThroughput = -1;
    return setOffline(false);
  };
  return { setOffline, unlimit, patches };
}

/** Whether a request sends a form: pages also post events, a second after the first press. */
export const isFormPost = (request: Request): boolean =>
  request.method() === 'POST' && new URL(request.url()).pathname !== '/events';

/** Holds the page's scripts back, as a slow connection does. Returns a function that lets them load. */
export async function holdScripts(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

/** A valid JPEG of about `bytes` bytes, by comments after its first marker. */
export function enlargeJpeg(jpeg: Buffer, bytes: number): Buffer {
  const comment = Buffer.alloc(65_535 + 2);
  comment.writeUInt16BE(0xfffe, 0);
  comment.writeUInt16BE(65_535, 2);
  const count = Math.ceil(Math.max(0, bytes - jpeg.length) / comment.length);
  return Buffer.concat([jpeg.subarray(0, 2), ...new Array<Buffer>(count).fill(comment), jpeg.subarray(2)]);
}
