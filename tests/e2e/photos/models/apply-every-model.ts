import { type Role, type Settings, settingsRoutes, snakeCase, TOOL_ORDER } from '@clearframe/contract';
import type { Browser, Page } from 'playwright-core';
import type { ExpectStatic } from 'vitest';
import type { ApiClient } from '../../../support/api-client.ts';
import { openPage } from '../../../support/browser/browser.ts';
import { openMember, visitorOf } from '../../../support/members.ts';
import { FOR_SALE, smallPicture } from '../../../support/payments/checkout.ts';
import { buyDownloads, subscribe } from '../../../support/payments/purchases.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';
import { shownResult } from '../../../support/result-page.ts';
import { untilHydrated } from '../../../support/sign-in.ts';
import { text } from '../../../support/texts.ts';

const product = sharedProduct();

type Offer = Settings['aiPipelineConfig'][number];
type Plan = Offer['models'][number]['requiredPlan'];
const PLANS: readonly Plan[] = ['base', 'personal', 'business'];
/** Guests, members without a plan and buyers of downloads have the tools of none. */
const planOf = (role: Role): Plan => (role === 'personal' || role === 'business' ? role : 'base');
const includes = (plan: Plan, required: Plan): boolean => PLANS.indexOf(plan) >= PLANS.indexOf(required);
const nameOf = ({ tool }: Offer) => TOOL_ORDER.find((name) => snakeCase(name) === tool) ?? tool;

export interface Visit {
  readonly role: Role;
  readonly javaScriptEnabled: boolean;
  /** The last one instead of all. */
  readonly models?: 'last';
}

/** Twenty runs, one after the other, beside four visitors who do the same; each step has its own limit. */
export const TIMEOUT_MS = 1_800_000;

/** Pages without JavaScript look for the result every two seconds. A question to API and page takes 20 ms of a processor. */
const POLL = { interval: 500 } as const;

/** A picture without faces has nothing to restore, and only an enlarged one is not untouched. */
const START = FOR_SALE;

async function open(browser: Browser, { role, javaScriptEnabled }: Visit) {
  // The files of the oldest result may be deleted while a page that lists it loads: twelve are kept.
  const options = { javaScriptEnabled, expectedStatus: 404 };
  if (role === 'guest') {
    const watched = await openPage(browser, product.url, options);
    return { ...watched, account: await visitorOf(watched.page) };
  }
  const member = await openMember(browser, product.url, options);
  if (role === 'credits') await buyDownloads(member.account, 3);
  else if (role !== 'base') await subscribe(member.account, role);
  return member;
}

async function offersOf(account: ApiClient): Promise<readonly Offer[]> {
  const { aiPipelineConfig } = await account.call(settingsRoutes.getSettings, {
    body: { localStorageId: 'every-model', deviceType: 'desktop', language: 'en' },
  });
  return aiPipelineConfig;
}

/** Chooses a model, null for off, in the tool's controls: a switch with a dropdown, or pictures. */
async function choose(page: Page, offer: Offer, model: string | null): Promise<void> {
  const name = nameOf(offer);
  const toggle = page.locator(`input[name=${name}On]`);
  if ((await toggle.count()) === 0) {
    await page.locator(`input[name=${name}][value="${model ?? ''}"]`).check();
    return;
  }
  await toggle.setChecked(model !== null);
  // Switched on, it has its first model.
  if (model !== null && model !== offer.models[0]?.model)
    await page.locator(`select[name=${name}]`).selectOption(model);
}

function modelsOf({ models }: Offer, visit: Visit): Offer['models'] {
  return visit.models === 'last' ? models.slice(-1) : models;
}

/**
 * Applies the models of every tool in turn, and compares each result with what the plan includes.
 * @param expect the test's own, since tests run concurrently
 */
export async function applyEveryModel(browser: Browser, visit: Visit, expect: ExpectStatic): Promise<void> {
  const { role, javaScriptEnabled } = visit;
  const plan = planOf(role);
  const { page, account, expectNoErrors, close } = await open(browser, visit);
  // Each result would have its 15 looks rendered.
  await page.route('**/looks', (route) => route.fulfill({ json: { isPending: false, urls: {} } }));
  const taskId = await account.enhance(await smallPicture(), 'sea.jpg', START);
  await page.goto(`/result?taskId=${taskId}`);
  if (javaScriptEnabled) await untilHydrated(page);
  for (const offer of await offersOf(account)) {
    if (javaScriptEnabled)
      await page.getByRole('tab', { name: text(`result:panel.sections.${offer.section}`) }).click();
    for (const { model, requiredPlan } of modelsOf(offer, visit)) {
      await choose(page, offer, model);
      if (!javaScriptEnabled) await page.getByRole('button', { name: text('result:panel.apply') }).click();
      const isPreview = !includes(plan, requiredPlan);
      // The newest is the result without the tool where that was made again, since its files were deleted.
      let shown: string | undefined;
      await expect
        .poll(async () => {
          const [output] = (await account.task(taskId)).result.outputs;
          shown = output?.display?.url;
          return [output?.aiPipeline, output?.isPreview, output?.hasWatermark];
        }, POLL)
        .toEqual([{ ...START, [nameOf(offer)]: { model } }, isPreview, plan === 'base' || isPreview]);
      await expect.poll(() => shownResult(page), POLL).toBe(new URL(shown ?? '', page.url()).pathname);
      // Without JavaScript the page refreshes until the result's files are made, and a refresh would undo the next choice.
      await expect.poll(() => page.locator('meta[http-equiv=refresh]').count(), POLL).toBe(0);
      // The panel follows the picture in the document.
      await page.waitForLoadState('domcontentloaded');
      const note = page.getByText(
        text(`result:panel.preview.${requiredPlan === 'personal' ? 'personal' : 'business'}`),
      );
      await expect.poll(() => note.count()).toBe(isPreview ? 1 : 0);
    }
    await choose(page, offer, null);
  }
  expectNoErrors();
  await close();
}
