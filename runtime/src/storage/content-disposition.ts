import contentDisposition from 'content-disposition';

/** Non-ASCII names go into `filename*`, with a fallback for older clients. */
export function contentDispositionOf(type: 'inline' | 'attachment', fileName: string): string {
  const fallback = fileName
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_');
  return contentDisposition(fileName, { type, fallback });
}
