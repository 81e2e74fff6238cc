import { describe, it } from 'vitest';
import { useBrowser } from '../../../support/browser/browser.ts';
import { applyEveryModel, TIMEOUT_MS, type Visit } from './apply-every-model.ts';

const browser = useBrowser();

const VISITORS: readonly ({ readonly title: string } & Visit)[] = [
  { title: 'is applied for a business customer, with JavaScript', role: 'business', javaScriptEnabled: true },
  { title: 'is applied for a business customer, without JavaScript', role: 'business', javaScriptEnabled: false },
  { title: 'is a preview for a guest, except the free ones', role: 'guest', javaScriptEnabled: true },
  {
    title: 'is a preview without a plan (base), except the free ones',
    role: 'base',
    javaScriptEnabled: false,
  },
  {
    title: 'is a preview without a plan (credits), except the free ones',
    role: 'credits',
    javaScriptEnabled: false,
  },
  {
    title: 'is applied or a preview for a personal customer, as the plan says',
    role: 'personal',
    javaScriptEnabled: false,
  },
];

// Most of the time of a visitor is spent waiting for pages that look for the result every two seconds.
describe.concurrent('every model of every tool, from the page', () => {
  for (const { title, ...visit } of VISITORS)
    it(title, { timeout: TIMEOUT_MS }, ({ expect }) => applyEveryModel(browser(), visit, expect));
});
