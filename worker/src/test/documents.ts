import { initializeCanvas, type Psd, type ReadOptions, readPsd } from 'ag-psd';

initializeCanvas(
  () => {
    throw new Error('pixels are read without a canvas');
  },
  (width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height), colorSpace: 'srgb' }),
);

/** A Photoshop document, as another program reads it. */
export const readDocument = (bytes: Buffer, options: ReadOptions = {}): Psd =>
  readPsd(bytes, { useImageData: true, skipThumbnail: true, ...options });
