import type account from '../../../locales/en/account.json';
import type common from '../../../locales/en/common.json';
import type footer from '../../../locales/en/footer.json';
import type header from '../../../locales/en/header.json';
import type home from '../../../locales/en/home.json';
import type onboarding from '../../../locales/en/onboarding.json';
import type plugin from '../../../locales/en/plugin.json';
import type processing from '../../../locales/en/processing.json';
import type result from '../../../locales/en/result.json';
import type support from '../../../locales/en/support.json';
import type surveys from '../../../locales/en/surveys.json';
import type tiers from '../../../locales/en/tiers.json';
import type usage from '../../../locales/en/usage.json';
import type webhooks from '../../../locales/en/webhooks.json';

/** Message keys, typed by the English files. */
export interface Messages {
  readonly account: typeof account;
  readonly common: typeof common;
  readonly footer: typeof footer;
  readonly header: typeof header;
  readonly home: typeof home;
  readonly onboarding: typeof onboarding;
  readonly plugin: typeof plugin;
  readonly processing: typeof processing;
  readonly result: typeof result;
  readonly support: typeof support;
  readonly surveys: typeof surveys;
  readonly tiers: typeof tiers;
  readonly usage: typeof usage;
  readonly webhooks: typeof webhooks;
}

export type Namespace = keyof Messages;

export type Bundle = Partial<Record<Namespace, Record<string, unknown>>>;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Messages;
    returnNull: false;
  }
}
