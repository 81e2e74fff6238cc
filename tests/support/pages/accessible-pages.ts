import { webhookRoutes } from '@clearframe/contract';
import type { Browser } from 'playwright-core';
import { ApiClient } from '../api-client.ts';
import { APPEARANCES, type Appearance, expectAccessible } from '../browser/accessibility.ts';
import { openPage, type WatchedPage } from '../browser/browser.ts';
import { ARABIC, ENGLISH } from '../browser/gallery.ts';
import { signIn } from '../members.ts';
import { FOR_SALE, smallPicture } from '../payments/checkout.ts';
import { buyDownloads, subscribe } from '../payments/purchases.ts';
import { blurredFace } from '../portrait.ts';
import { newEmail, untilHydrated } from '../sign-in.ts';
import {
  accountDialog,
  chosenPhoto,
  createdKey,
  modalAt,
  paywallOver,
  previewedTools,
  type State,
  sentWebhook,
} from './page-states.ts';
import { comparedVersions, openTools, progressOf, startedUpload, withoutScripts } from './stage-states.ts';

interface PageGroup {
  readonly name: string;
  /** Checked for overflow; axe runs at the last one. */
  readonly widths: readonly number[];
  /** Prepared once for all pages of the group. */
  readonly prepare: (origin: string) => Promise<Prepared>;
}

export interface Prepared {
  readonly email: string | null;
  readonly states: readonly State[];
  /** States made of the same parts; skipped in sampled runs. */
  readonly similar?: readonly State[];
}

const asGuest =
  (states: readonly State[], similar: readonly State[] = []) =>
  async (): Promise<Prepared> => ({
    email: null,
    states,
    similar,
  });

export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    name: 'logging in, the rules and getting started',
    widths: [1440, 768, 390],
    prepare: asGuest(
      ['/login', '/terms', '/onboarding'],
      ['/login/linking?attempted=apple', '/privacy-and-cookie-policy'],
    ),
  },
  {
    name: 'languages, help and errors',
    widths: [1440, 390],
    prepare: asGuest(
      [
        ...['/', '/language', '/nothing-here', '/pricing', '/help#refunds', '/help/contact'],
        modalAt(390, 'header a[href^="/language"]'),
        modalAt(1440, 'footer a[href^="/about"]'),
      ],
      [
        '/about/photo',
        '/upload-error/wrong_file_format?found=PDF',
        '/offer/batch',
        '/redeem',
        '/developers',
        '/plugin',
        '/developers/tools',
        '/developers/limits',
        '/developers/authentication',
        '/developers/reference/enhance',
        '/status',
        '/developers/search?q=key',
        '/help/book-a-call',
        '/secret-menu',
      ],
    ),
  },
  {
    name: 'a result',
    widths: [768, 1440, 390],
    prepare: async (origin) => {
      const email = newEmail();
      const account = await ApiClient.logIn(origin, email);
      const taskId = await account.enhance(await blurredFace(120));
      const states = [
        ...[`/result?taskId=${taskId}`, paywallOver(taskId), '/history', previewedTools(taskId), chosenPhoto],
        openTools(taskId),
      ];
      const similar = [
        ...[`/share?taskId=${taskId}`, `/history/download?taskId=${taskId}`],
        ...[comparedVersions(taskId), withoutScripts(`/result?taskId=${taskId}`), startedUpload, progressOf(account)],
      ];
      return { email, states, similar };
    },
  },
  {
    name: 'a batch',
    widths: [768, 1440, 390],
    prepare: async (origin) => {
      const email = newEmail();
      const account = await ApiClient.logIn(origin, email);
      await subscribe(account, 'business');
      const photo = await blurredFace(120);
      const files = {
        'sea.jpg': photo,
        [`${'a very long name '.repeat(8)}.jpg`]: photo,
        'broken.jpg': photo.subarray(0, 90),
      };
      const { id: endpointId } = await account.call(webhookRoutes.createWebhookEndpoint, {
        body: { url: 'http://127.0.0.1:9/' },
      });
      await account.call(webhookRoutes.testWebhookEndpoint, { params: { endpointId } });
      const { bulkUploadId, taskIds } = await account.enhanceBatch(files, {});
      const address = `/batch?bulkUploadId=${bulkUploadId}`;
      return {
        email,
        states: [
          ...[`${address}&look=${taskIds[0]}`, `/result?taskId=${taskIds[1]}`, '/account/plugin-key/offer'],
          ...[createdKey, sentWebhook(endpointId)],
        ],
        similar: [address, '/account/plugin-key', '/account/webhooks', '/account/usage'],
      };
    },
  },
  {
    name: 'an account',
    widths: [1440, 390],
    prepare: async (origin) => {
      const email = newEmail();
      await buyDownloads(await ApiClient.logIn(origin, email), 3);
      return {
        email,
        states: [
          ...['/account/general', '/account/general/privacy', '/account/erase'],
          '/upgrade/downloads?priceId=sbx_price_personal_weekly_usd',
          accountDialog,
        ],
        similar: [
          ...['/onboarding', '/account/subscription', '/account/erased', '/consents/marketing'],
          ...['/consents/image-training', '/consents/image-training/declined'],
        ],
      };
    },
  },
  {
    name: 'paying',
    widths: [768, 1440, 390],
    prepare: async (origin) => {
      const email = newEmail();
      const account = await ApiClient.logIn(origin, email);
      await subscribe(account, 'personal');
      const taskId = await account.enhance(await smallPicture(), 'sea.jpg', FOR_SALE);
      return {
        email,
        states: [
          ...['/upgrade?period=yearly', `/result?taskId=${taskId}&bought=plan`],
          '/checkout?priceId=sbx_price_three_exports_usd&problem=payments.declined',
          ...['/account/subscription', '/subscription/cancel'],
        ],
        similar: [
          ...['/welcome', '/account/purchases'],
          '/upgrade/confirm?priceId=sbx_price_business_monthly_usd',
          ...['/account/subscription/cancel', '/account/limits', '/unavailable'],
        ],
      };
    },
  },
  { name: 'the gallery of widgets', widths: [390, 1440], prepare: asGuest([ENGLISH, ARABIC]) },
];

export async function expectSampleAccessible(browser: Browser, origin: string, group: PageGroup): Promise<void> {
  const { email, states } = await group.prepare(origin);
  for (const [turn, appearance] of APPEARANCES.entries()) {
    const sample = states.filter((_state, index) => index % APPEARANCES.length === turn);
    await expectStatesAccessible(browser, origin, { email, states: sample, widths: group.widths, appearance });
  }
}

export async function expectGroupAccessible(
  browser: Browser,
  origin: string,
  { email, states, similar = [] }: Prepared,
  { widths, appearance }: { readonly widths: readonly number[]; readonly appearance: Appearance },
): Promise<void> {
  await expectStatesAccessible(browser, origin, { email, states: [...states, ...similar], widths, appearance });
}

interface Check {
  readonly email: string | null;
  readonly states: readonly State[];
  readonly widths: readonly number[];
  readonly appearance: Appearance;
}

async function expectStatesAccessible(
  browser: Browser,
  origin: string,
  { email, states, widths, appearance }: Check,
): Promise<void> {
  const watched = await openIn(browser, origin, appearance, email);
  for (const state of states) {
    if (typeof state === 'string') {
      await watched.page.goto(state);
      await untilHydrated(watched.page);
      await expectAccessible(watched.page, widths);
    } else await state(watched.page);
  }
  watched.expectNoErrors();
  await watched.close();
}

async function openIn(
  browser: Browser,
  origin: string,
  appearance: Appearance,
  email: string | null,
): Promise<WatchedPage> {
  // '/nothing-here' is a 404 on purpose.
  const watched = await openPage(browser, origin, { ...appearance, reducedMotion: 'reduce', expectedStatus: 404 });
  if (email) await signIn(watched.page, origin, email);
  return watched;
}
