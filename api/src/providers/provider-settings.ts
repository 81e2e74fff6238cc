import { ConfigurationError } from '@clearframe/runtime/config';
import { z } from 'zod';

export const text = z.string({ error: 'is missing' });
export const url = () => z.url({ error: 'is not an absolute URL', protocol: /^https?$/ });

/** @throws ConfigurationError in production for an address of the sandbox */
export function refuseOtherServers<Name extends string>(
  env: { readonly CLEARFRAME_ENV?: string | undefined } & { readonly [Key in Name]?: string | undefined },
  provider: string,
  names: readonly Name[],
): void {
  const given = names.find((name) => env[name]);
  if (given === undefined || env.CLEARFRAME_ENV !== 'production') return;
  throw new ConfigurationError(`${given}: another server than ${provider} is refused in production`);
}

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
