import { taskRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import type { ApiClient } from './api-client.ts';

export const PAGE_SIZE = 12;

export const isLive = (page: Page) => page.waitForSelector('html[data-live]');
export const cards = (page: Page) => page.getByRole('main').getByRole('listitem');
export const names = (page: Page) =>
  cards(page)
    .getByRole('link', { name: /^photo \d+$/ })
    .allTextContents();
export const from = (first: number, count: number) =>
  Array.from({ length: count }, (_, position) => `photo ${first - position}`);

export async function announce(account: ApiClient, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await account.call(taskRoutes.createBulkUpload, {
      body: { imageContentType: 'image/jpeg', fileName: `photo ${number}` },
    });
  }
}

export const listed = async (account: ApiClient) =>
  (await account.call(taskRoutes.listTasks, { query: { limit: 100 } })).data.map(({ input }) => input.fileName);
