import { AppError } from '../platform/errors/app-error.js';

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * Bytes of a Range header, both bounds included (RFC 9110, section 14). Null for the whole file: without the header,
 * and for several ranges or another unit, which a server may ignore.
 * @throws AppError `media.range_invalid` when no byte of it exists
 */
export function rangeIn(header: string | undefined, sizeBytes: number): { start: number; end: number } | null {
  const [, first = '', last = ''] = RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  // An invalid range is ignored, one beyond the end is refused.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (start > end) throw new AppError('media.range_invalid', { fileBytes: sizeBytes });
  return { start, end };
}
