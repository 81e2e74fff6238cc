import { describe } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import { RUNS } from '../support/browser/javascript.ts';
import { useFaults } from './faults.ts';
import { testPages } from './pages.ts';
import { testPayments } from './payments.ts';
import { testLostWork, testPictures } from './pictures.ts';
import { testVideos } from './videos.ts';

const browser = useBrowser();

// Each with a product of its own, at the same time: most of the time is spent waiting for restarts.
describe.concurrent('requests', () => {
  const faults = useFaults();
  describe.sequential('pictures', () => {
    if (RUNS.short) testPictures(faults);
    if (RUNS.long) testLostWork(faults);
  });
  if (RUNS.short) describe.sequential('payments', () => testPayments(faults));
});
if (RUNS.long) {
  describe.concurrent('longer work', () => {
    const faults = useFaults();
    describe.sequential('videos', () => testVideos(faults));
    describe.sequential('pages', () => testPages(faults, browser));
  });
}
