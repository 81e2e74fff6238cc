import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Data folders of the products that this process uses, by the port of `web`. */
const dataFolders = new Map<string, string>();

/** Lets {@link linesForRequest} find the logs of a product. */
export const registerLogs = (url: string, dataFolder: string): void => {
  dataFolders.set(new URL(url).port, dataFolder);
};

/** The log lines of `web` and `api` about a request; empty for a product that another process started. */
export function linesForRequest(url: string, requestId: string): string[] {
  const dataFolder = dataFolders.get(new URL(url).port);
  if (!dataFolder) return [];
  return ['web', 'api'].flatMap((service) =>
    readLog(join(dataFolder, 'logs', `${service}.log`))
      .split('\n')
      .filter((line) => line.includes(requestId)),
  );
}

function readLog(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Removed with the product's folder.
    return '';
  }
}
