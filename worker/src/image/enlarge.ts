import { withKernels } from '../rasters/kernels.js';
import { Enlargement } from '../rasters/upscale.js';
import type { Samples } from './picture.js';

/** Enlarges transparency of 8 bits with the picture. */
export function enlargeAlpha(
  alpha: Samples,
  from: { readonly width: number; readonly height: number },
  to: { readonly width: number; readonly height: number },
): Uint8Array {
  if (alpha instanceof Uint16Array) throw new Error('enlarged pictures have 8 bits a sample');
  return withKernels(() => {
    const enlargement = new Enlargement({ ...from, data: alpha }, 1, to.width, to.height);
    const target = new Uint8Array(to.width * to.height);
    for (let y = 0; y < to.height; y++) enlargement.row(y, target.subarray(y * to.width, (y + 1) * to.width));
    return target;
  });
}
