import { describe } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import { RUNS } from '../support/browser/javascript.ts';
import { useFaults } from './faults.ts';
import { testPages } from './pages.ts';
import { testPayments } from './payments.ts';
import { testPictures } from './pictures.ts';
import { testVideos } from './videos.ts';

const browser = useBrowser();
const faults = useFaults();

if (RUNS.short) {
  describe('pictures', () => testPictures(faults));
  describe('payments', () => testPayments(faults));
}
if (RUNS.long) {
  describe('videos', () => testVideos(faults));
  describe('pages', () => testPages(faults, browser));
}
