import type { KeyKind, KeyScope } from '@clearframe/contract';
import type { ProblemView } from '../../http/browser-client';
import type { FormattedDate } from '../../i18n/formatted-date';

/** What its owner chose for a key, as the fields of a form. */
export interface KeyChoice {
  /** Chosen by its owner; null without one. */
  readonly name: string | null;
  readonly scopes: readonly KeyScope[];
  /** The last day (UTC) as `YYYY-MM-DD`; null: no end. */
  readonly lastDay: string | null;
  readonly perMinute: number | null;
  readonly perMonth: number | null;
}

export interface PluginKeyView extends KeyChoice {
  readonly id: string;
  readonly kind: KeyKind;
  /** Its first characters, by which it is recognized. */
  readonly prefix: string;
  readonly createdAt: FormattedDate;
  /** Null for a key that was never used. */
  readonly lastUsedAt: FormattedDate | null;
  /** Address of that use; null without one, and 90 days after it. */
  readonly lastUsedIp: string | null;
  /** The only device that may use it; null: any. */
  readonly deviceId: string | null;
  /** Null: never. */
  readonly expiresAt: FormattedDate | null;
  readonly isExpired: boolean;
}

export interface EditKeyProps {
  readonly value: Pick<PluginKeyView, 'id' | 'kind' | 'prefix'> & KeyChoice;
  readonly problem?: ProblemView | null;
  /** Over the tab, which shows the key. */
  readonly onSaved?: (value: PluginKeyView) => void;
}

/** A key with its secret, which the API returns once. Lives in the rendered page only. */
export interface CreatedKeyView extends PluginKeyView {
  readonly key: string;
}

export interface PluginKeysView {
  /** Newest first; null when they can't be read. */
  readonly keys: readonly PluginKeyView[] | null;
  /** The plan has live keys. Every account has test keys. */
  readonly mayCreateLive: boolean;
  /** Set by the answer that created it. */
  readonly created: CreatedKeyView | null;
  /** Why the form without JavaScript created none. */
  readonly problem: ProblemView | null;
  /** Identifies the next form: one sent twice creates one key. */
  readonly requestId: string;
  /** Base URL of the API's routes, for the example. */
  readonly apiUrl: string;
}

export const withCreated = (view: PluginKeysView, created: CreatedKeyView, requestId: string): PluginKeysView => ({
  ...view,
  keys: [created, ...(view.keys ?? []).filter(({ id }) => id !== created.id)],
  created,
  problem: null,
  requestId,
});

export const withChanged = (view: PluginKeysView, changed: PluginKeyView): PluginKeysView => ({
  ...view,
  keys: view.keys?.map((key) => (key.id === changed.id ? changed : key)) ?? null,
});

export const withoutKey = (view: PluginKeysView, keyId: string): PluginKeysView => ({
  ...view,
  keys: view.keys?.filter(({ id }) => id !== keyId) ?? null,
  created: view.created?.id === keyId ? null : view.created,
});
