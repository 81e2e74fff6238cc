import { expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

it('the API guide leads guests to the login and to the reference', async () => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
  await page.goto('/upgrade?v=b');
  await page.getByRole('main').getByRole('link', { name: 'API', exact: true }).click();
  await page.waitForURL('**/developers?v=b');
  for (const name of ['docs', 'openapi'] as const) {
    const link = page.getByRole('link', { name: text(`support:developers.reference.${name}`) });
    const address = await link.getAttribute('href');
    const response = await page.request.get(`${product.url}${address}`);
    expect(response.status()).toBe(200);
    if (name === 'openapi') expect(Object.keys((await response.json()).paths)).toContain('/api/v1/web/enhance');
  }
  await page
    .getByRole('main')
    .getByRole('link', { name: text('support:developers.key.logIn') })
    .click();
  await page.waitForURL('**/login?from=%2Fdevelopers&v=b');
  expectNoErrors();
  await close();
});

itWithAndWithoutJavaScript('the API guide is searched', { short: 'with' }, async (javaScriptEnabled) => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
  await page.goto('/developers/authentication?v=b');
  if (javaScriptEnabled) await untilHydrated(page);
  const field = page.getByRole('searchbox');
  await field.fill('final states');
  if (!javaScriptEnabled) await field.press('Enter');
  await page.waitForURL('**/developers/search?*');
  await page.getByRole('main').getByRole('link', { name: 'Final states' }).first().click();
  await page.waitForURL('**/developers/results?v=b#final-states');
  await page.getByRole('heading', { level: 1, name: text('support:developers.sections.results') }).waitFor();
  expectNoErrors();
  await close();
});

it('the reference names every operation of the description', async () => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
  const description = await (await fetch(`${product.url}/api/openapi.json`)).json();
  const index = await (await fetch(`${product.url}/developers/reference.md`)).text();
  for (const [path, methods] of Object.entries<object>(description.paths))
    for (const method of Object.keys(methods)) expect(index).toContain(`\`${method.toUpperCase()} ${path}\``);
  await page.goto('/developers/reference');
  await page.getByRole('main').getByRole('link', { name: 'Create enhancement' }).click();
  await page.waitForURL('**/developers/reference/enhance#create-enhancement');
  await page.getByRole('heading', { name: 'Create enhancement' }).waitFor();
  await page.getByRole('link', { name: 'Task', exact: true }).first().click();
  await page.waitForURL('**/developers/reference/objects#task');
  expectNoErrors();
  await close();
});

it('the state of the service is a page and JSON', async () => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
  await page.goto('/');
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: text('footer:status'), exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: text('support:status.title') }).waitFor();
  const { status, components } = await (await fetch(`${product.url}/status.json`)).json();
  expect(['operational', 'degraded']).toContain(status);
  expect(components.map(({ name }: { name: string }) => name)).toEqual(['api', 'photos', 'videos']);
  expectNoErrors();
  await close();
});

it('the API guide is Markdown, too, and listed for agents', async () => {
  const list = await fetch(`${product.url}/llms.txt`);
  expect(list.headers.get('content-type')).toContain('text/plain');
  const addresses = [...(await list.text()).matchAll(/\((\S+\.md)\)/g)].map(([, address = '']) => address);
  expect(addresses.length).toBeGreaterThan(5);
  for (const address of addresses) {
    const page = await fetch(address);
    expect(page.headers.get('content-type'), address).toBe('text/markdown; charset=utf-8');
    expect(await page.text()).toMatch(/^# \w/);
  }
  expect((await fetch(`${product.url}/developers/nothing.md`)).status).toBe(404);
  expect((await fetch(`${product.url}/developers/nothing`)).status).toBe(404);
});

itWithAndWithoutJavaScript(
  'the API guide leads members to the tab of keys',
  { short: 'without' },
  async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await page.goto('/developers');
    if (javaScriptEnabled) await untilHydrated(page);
    await page.getByRole('link', { name: text('support:developers.key.create') }).click();
    await page.getByRole('heading', { name: text('account:pluginKey.title') }).waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(javaScriptEnabled ? 1 : 0);
    const guide = page.getByRole('link', { name: text('account:pluginKey.use.guide') });
    await expect.poll(() => guide.getAttribute('href')).toBe('/developers');
    expectNoErrors();
    await close();
  },
);
