import { type ImageFormat, probedOf, readHeader } from './format.js';

export const webp: ImageFormat = {
  accepts: ['image/webp'],
  probe: async ({ path }) => probedOf(path, await readHeader(path, 'webp')),
};
