import { bytesAt, floatsAt, kernels, reserve, withKernels } from '../rasters/kernels.js';
import type { Raster } from '../rasters/raster.js';
import { type GainLimit, LimitedRows, measureContrast } from '../tools/restoration/gain-limiter.js';

/** Limits all rows of a picture, in place. */
export function limitGain(enhanced: Raster, reference: Raster, limit: GainLimit): void {
  withKernels(() => {
    const limited = new LimitedRows(enhanced, measureContrast(reference, limit.radius), limit);
    const stride = enhanced.width * 3;
    const line = reserve(4 * stride);
    const rounded = reserve(stride);
    for (let y = 0; y < enhanced.height; y++) {
      floatsAt(line, stride).fill(0);
      limited.addRow(y, 1, line);
      kernels.round(line, rounded, stride);
      enhanced.data.set(bytesAt(rounded, stride), y * stride);
    }
  });
}
