import type { Task } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { browserAddress } from '../../http/api-addresses.server';
import type { PhotoView } from './order';

/** The newest result that is no preview: what is paid for. */
export function photoOf({ input, result }: Task, { settings }: AppLoadContext): PhotoView | null {
  const output = result.outputs.find(({ isPreview }) => !isPreview);
  if (!output?.display) return null;
  const { url, thumbnailUrl, width, height } = output.display;
  return {
    url: browserAddress(url, settings),
    thumbnailUrl: browserAddress(thumbnailUrl, settings),
    display: { width, height },
    fileName: input.fileName,
    size: { width: output.width, height: output.height },
  };
}
