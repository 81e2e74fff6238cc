import { decodePicture, type ProbedImage, probeImage } from '../image/formats/decode.js';
import type { Picture } from '../image/picture.js';
import { fileOf } from './pictures.js';

export const probe = async (bytes: Uint8Array): Promise<ProbedImage> => probeImage(await fileOf(bytes));

export const decode = async (
  bytes: Uint8Array,
  { maxSide = 2048, keepDepth = false }: { maxSide?: number; keepDepth?: boolean } = {},
): Promise<Picture> => decodePicture(await probe(bytes), { maxSide, keepDepth });

/** The error code with which a file is rejected, or 'accepted'. */
export const rejectionOf = async (bytes: Uint8Array): Promise<unknown> =>
  decode(bytes).then(
    () => 'accepted',
    (error: { code?: unknown }) => error.code,
  );
