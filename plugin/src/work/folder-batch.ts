import type { Service } from '../api/service.ts';
import { type Choices, pipelineOf, type UpscaleOffer } from '../core/tools.ts';
import type { Folder, Picture } from '../host/folders.ts';

const isJpeg = (name: string): boolean => /\.jpe?g$/i.test(name);

/** JPEGs stay JPEGs; everything else becomes a PNG. */
export const resultNameOf = (name: string): string =>
  `${name.replace(/\.[^.]*$/, '')}-enhanced.${isJpeg(name) ? 'jpg' : 'png'}`;

/**
 * Enhances a file as it is: no pixels are decoded here, so that its profile and EXIF are kept.
 * @returns false where the result exists
 */
export async function enhanceFile(
  picture: Picture,
  output: Folder,
  {
    service,
    choices,
    upscale,
    signal,
    onProgress,
  }: {
    service: Service;
    choices: Choices;
    upscale: UpscaleOffer;
    signal: AbortSignal;
    onProgress: (share: number) => void;
  },
): Promise<boolean> {
  const name = resultNameOf(picture.name);
  if ((await output.names()).has(name)) return false;
  const format = isJpeg(picture.name) ? 'jpeg' : 'png';
  // Its size isn't known before it is decoded: a large one keeps it.
  const pipeline = pipelineOf(choices, Number.POSITIVE_INFINITY, upscale);
  const bytes = await picture.read();
  const sent = { bytes, name: picture.name, format, pipeline, runId: crypto.randomUUID() } as const;
  const result = await service.enhance(sent, { signal, onProgress: ({ fraction }) => onProgress(fraction) });
  await output.write(name, result.bytes);
  return true;
}
