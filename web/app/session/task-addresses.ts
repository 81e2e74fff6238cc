type Query = Readonly<Record<string, string>>;

export const processingAddress = (taskId: string, query: Query = {}): string =>
  `/processing?${new URLSearchParams({ taskId, ...query })}`;

/** The result of a photo; its page shows the progress while there is none. */
export const resultAddress = (taskId: string, query: Query = {}): string =>
  `/result?${new URLSearchParams({ taskId, ...query })}`;

/** One result of a photo; null is the newest that is no preview. */
export const versionAddress = (taskId: string, outputId: string | null): string =>
  resultAddress(taskId, outputId === null ? {} : { outputId });

/** @param outputId one of its results; absent: the newest */
export const videoAddress = (taskId: string, outputId?: string): string =>
  resultAddress(taskId, { mediaType: 'video', ...(outputId && { outputId }) });

/** An upload of several photos (spec 2, section 2). */
export const batchAddress = (bulkUploadId: string, query: Query = {}): string =>
  `/batch?${new URLSearchParams({ bulkUploadId, ...query })}`;

const FILES_PARAMETER = 'files';

/** Asks what happens to more files than a batch takes. */
export const batchChoiceAddress = (bulkUploadId: string, files: number): string =>
  `/batch/choice?${new URLSearchParams({ bulkUploadId, [FILES_PARAMETER]: String(files) })}`;

/** Number of files that were chosen. */
export const chosenFilesIn = (query: URLSearchParams): number =>
  Number(/^\d{1,3}$/.exec(query.get(FILES_PARAMETER) ?? '')?.[0] ?? 0);
