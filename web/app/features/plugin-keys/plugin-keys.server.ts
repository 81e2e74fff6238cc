import { randomUUID } from 'node:crypto';
import { BASE_PATH, type CreatedPluginKey, may, type PluginKey, type User } from '@clearframe/contract';
import type { Settings } from '../../../server/config/settings.ts';
import { dateFormatterFor, type FormatDate } from '../../i18n/formatted-date';
import type { CreatedKeyView, PluginKeysView, PluginKeyView } from './plugin-keys';

export const newRequestId = (): string => randomUUID();

/**
 * @param keys null when they can't be read
 * @param language BCP 47, for dates
 */
export function pluginKeysOf(
  keys: readonly PluginKey[] | null,
  owner: User | null,
  language: string,
  { publicUrl }: Settings,
): PluginKeysView {
  const formatDate = dateFormatterFor(language);
  return {
    keys: keys?.map((key) => keyViewOf(key, formatDate)) ?? null,
    mayCreateLive: owner !== null && may(owner, 'plugin_key'),
    created: null,
    problem: null,
    requestId: newRequestId(),
    apiUrl: new URL(BASE_PATH, publicUrl).href,
  };
}

export const createdKeyOf = ({ key, ...created }: CreatedPluginKey, language: string): CreatedKeyView => ({
  ...keyViewOf(created, dateFormatterFor(language)),
  key,
});

export const keyViewOf = (
  { id, isTest, name, scopes, limits, prefix, createdAt, expiresAt, lastUsedAt, lastUsedIp, deviceId }: PluginKey,
  formatDate: FormatDate,
): PluginKeyView => ({
  id,
  kind: isTest ? 'test' : 'live',
  name,
  scopes,
  ...limits,
  lastDay: expiresAt?.slice(0, 'YYYY-MM-DD'.length) ?? null,
  prefix: shownPrefix(prefix),
  createdAt: formatDate(createdAt),
  lastUsedAt: lastUsedAt === null ? null : formatDate(lastUsedAt),
  lastUsedIp,
  deviceId,
  expiresAt: expiresAt === null ? null : formatDate(expiresAt),
  isExpired: expiresAt !== null && Date.parse(expiresAt) <= Date.now(),
});

/** `cfk_1a2b3c4d…` */
export const shownPrefix = (prefix: string): string => `${prefix}…`;
