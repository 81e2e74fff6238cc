import { type Settings, settingsRoutes, snakeCase, TOOL_ORDER } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember, visitorOf } from '../../support/identity/members.ts';
import { untilHydrated } from '../../support/identity/sign-in.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilShown } from '../../support/result-page.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

type Offer = Settings['aiPipelineConfig'][number];
type Plan = Offer['models'][number]['requiredPlan'];
/** Guests have no plan. */
const PLANS: readonly Plan[] = ['base', 'personal', 'business'];

/** Its tools need no network: nothing is enlarged and there is no face. */
const START = { upscale: { factor: 1 } } as const;

const nameOf = ({ tool }: Offer) => TOOL_ORDER.find((name) => snakeCase(name) === tool) ?? tool;
const includes = (plan: Plan, required: Plan): boolean => PLANS.indexOf(plan) >= PLANS.indexOf(required);

async function offersOf(account: ApiClient): Promise<readonly Offer[]> {
  const { aiPipelineConfig } = await account.call(settingsRoutes.readSettings, {
    body: { localStorageId: 'every-model', deviceType: 'desktop', language: 'en' },
  });
  return aiPipelineConfig;
}

async function open(plan: Plan, javaScriptEnabled: boolean) {
  if (plan === 'base') {
    const watched = await openPage(browser(), product.url, { javaScriptEnabled });
    return { ...watched, account: await visitorOf(watched.page) };
  }
  const member = await openMember(browser(), product.url, { javaScriptEnabled });
  await subscribe(member.account, plan);
  return member;
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

/** Applies every model of every tool in turn, and compares each result with what the plan includes. */
async function walk(page: Page, account: ApiClient, plan: Plan, javaScriptEnabled: boolean): Promise<void> {
  const taskId = await account.enhance(await smallPicture(), 'sea.jpg', START);
  await page.goto(`/result?taskId=${taskId}`);
  if (javaScriptEnabled) await untilHydrated(page);
  const apply = async () => {
    if (!javaScriptEnabled) await page.getByRole('button', { name: text('result:panel.apply') }).click();
  };
  for (const offer of await offersOf(account)) {
    if (javaScriptEnabled)
      await page.getByRole('tab', { name: text(`result:panel.sections.${offer.section}`) }).click();
    for (const { model, requiredPlan } of offer.models) {
      await untilShown(page, async () => {
        await choose(page, offer, model);
        await apply();
      });
      const isPreview = !includes(plan, requiredPlan);
      const [output] = (await account.task(taskId)).result.outputs;
      expect([output?.aiPipeline, output?.isPreview, output?.hasWatermark]).toEqual([
        { ...START, [nameOf(offer)]: { model } },
        isPreview,
        plan === 'base' || isPreview,
      ]);
      const note = page.getByText(
        text(`result:panel.preview.${requiredPlan === 'personal' ? 'personal' : 'business'}`),
      );
      expect(await note.count()).toBe(isPreview ? 1 : 0);
    }
    // Scripts show the first result again; a form is sent with the next tool.
    if (javaScriptEnabled) await untilShown(page, () => choose(page, offer, null));
    else await choose(page, offer, null);
  }
}

describe('every model of every tool, from the page', () => {
  itWithAndWithoutJavaScript(
    'is applied as the plan includes it, and is a preview otherwise',
    { short: 'with' },
    async (javaScriptEnabled) => {
      // The page's pause after a change and its polling take most of the time.
      await Promise.all(
        PLANS.map(async (plan) => {
          const { page, account, expectNoErrors, close } = await open(plan, javaScriptEnabled);
          await walk(page, account, plan, javaScriptEnabled);
          expectNoErrors();
          await close();
        }),
      );
    },
  );
});
