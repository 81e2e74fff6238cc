import { ConfigurationError } from '@clearframe/runtime/config';
import { z } from 'zod';

export type ProviderIds = ReadonlyMap<string, string>;

/**
 * @param json an object of provider ids by catalogue id, or a pattern such as `sbx_price_*`
 * @throws ConfigurationError when one is missing
 */
export function idsIn(variable: string, json: string, prices: readonly { readonly id: string }[]): ProviderIds {
  if (json.includes('*')) return new Map(prices.map(({ id }) => [id, json.replace('*', id)]));
  const ids = parse(variable, json);
  const missing = prices.find(({ id }) => ids[id] === undefined);
  if (missing) throw new ConfigurationError(`${variable}: has no id of ${missing.id}`);
  return new Map(prices.map(({ id }) => [id, ids[id] ?? '']));
}

function parse(variable: string, json: string): Readonly<Record<string, string>> {
  try {
    return z.record(z.string(), z.string().min(1)).parse(JSON.parse(json));
  } catch (cause) {
    throw new ConfigurationError(`${variable}: is not a JSON object of ids`, { cause });
  }
}
