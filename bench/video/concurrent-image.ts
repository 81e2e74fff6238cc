import { readFile } from 'node:fs/promises';
import { isFinal, videoRoutes } from '@clearframe/contract';
import { ApiClient } from '../../tests/support/api-client.ts';
import { subscribe } from '../../tests/support/payments/purchases.ts';
import { blurredPortrait } from '../../tests/support/portrait.ts';
import { startProduct, USUAL_PRIORITY } from '../../tests/support/product/product.ts';
import { until } from '../../tests/support/product/until.ts';
import { uploadVideo } from '../../tests/support/video-page.ts';
import { quantile } from '../support/results.ts';
import { PIPELINES } from './bench-work.ts';

/** Pictures of which the median counts, each time: the first one is not counted, so that networks are warm. */
const PICTURES = 5;
const POLLING = { longestPauseMs: 50, deadlineMs: 600_000 } as const;
export type Recipe = 'faces' | 'signal';

interface PictureTimes {
  /** Seconds, just before the video. */
  readonly alone: number;
  /** Seconds, while the video is enhanced. */
  readonly beside: number;
}

/**
 * Times of a portrait in a running product with its usual priorities. Each recipe has its own measurement alone, since the
 * speed of a shared machine varies.
 * @param paths clips long enough for the recipe to last `PICTURES` pictures
 */
export async function measureConcurrentImage(
  paths: Readonly<Record<Recipe, string>>,
): Promise<Map<Recipe, PictureTimes>> {
  const product = await startProduct(USUAL_PRIORITY);
  try {
    const account = await ApiClient.logIn(product.url, 'bench@example.com');
    await subscribe(account, 'business');
    const portrait = await blurredPortrait();
    const picture = async () => {
      const started = performance.now();
      const taskId = await account.submit(portrait);
      const ended = async () => isFinal((await account.task(taskId)).status);
      await until('the picture has ended', ended, POLLING);
      return (performance.now() - started) / 1000;
    };
    const pictures = async () => {
      await picture();
      const seconds: number[] = [];
      while (seconds.length < PICTURES) seconds.push(await picture());
      return quantile(seconds, 0.5);
    };
    const times = new Map<Recipe, PictureTimes>();
    for (const recipe of ['signal', 'faces'] as const) {
      const alone = await pictures();
      const params = { videoTaskId: await startVideo(account, paths[recipe], recipe) };
      const beside = await pictures();
      // Fails if the video has ended meanwhile.
      await account.call(videoRoutes.cancelVideoTask, { params });
      times.set(recipe, { alone, beside });
    }
    return times;
  } finally {
    await product.stop();
  }
}

async function startVideo(account: ApiClient, path: string, recipe: Recipe): Promise<string> {
  const videoTaskId = await uploadVideo(account, await readFile(path), PIPELINES[recipe]);
  const { plan } = await account.call(videoRoutes.processVideoTask, { params: { videoTaskId } });
  if (!plan?.recipe.startsWith(recipe)) throw new Error(`the clip for ${recipe} is planned as ${plan?.recipe}`);
  const read = () => account.call(videoRoutes.getVideoTask, { params: { videoTaskId } });
  await until('the video is being enhanced', async () => (await read()).progress > 0.02, POLLING);
  return videoTaskId;
}
