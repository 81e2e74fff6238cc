/** `pnpm business-terms`: makes the document of the terms for businesses from the texts of the page `/terms`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from './support/browser/browser.ts';
import { text } from './support/texts.ts';

const FOLDER = fileURLToPath(new URL('../web/public/docs/', import.meta.url));
const FONT = createRequire(new URL('../web/package.json', import.meta.url)).resolve(
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
);

const SECTIONS = ['business', 'tax'] as const;

const escaped = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

async function documentHtml(): Promise<string> {
  const font = (await readFile(FONT)).toString('base64');
  const sections = SECTIONS.map(
    (section) =>
      `<h2>${escaped(text(`onboarding:policies.terms.${section}.title`))}</h2>
      <p>${escaped(text(`onboarding:policies.terms.${section}.body`))}</p>`,
  );
  const changed = escaped(text('onboarding:policies.changed'));
  const questions = text('onboarding:policies.questions', { email: 'support@clearframe.example' });
  // Readers show the title, from which the test knows the version.
  return `<!doctype html><html lang="en"><head><title>Clearframe, terms for businesses. ${changed}</title><style>
    @font-face { font-family: Inter; src: url(data:font/woff2;base64,${font}); font-weight: 100 900 }
    body { font: 11pt/1.6 Inter, sans-serif; color: #14171c; margin: 0 }
    h1 { font-size: 24pt; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 4pt }
    h2 { font-size: 14pt; line-height: 1.3; margin: 22pt 0 4pt }
    p { margin: 0 } .quiet { color: #565d69; font-size: 9.5pt } .end { margin-top: 26pt }
    .name { font-weight: 600; margin-bottom: 28pt }
  </style></head><body>
    <p class="name">${escaped(text('common:name'))}</p>
    <h1>${escaped(text('onboarding:policies.terms.business.title'))}</h1>
    <p class="quiet">${changed}</p>
    ${sections.join('\n')}
    <p class="quiet end">${escaped(questions)}</p>
  </body></html>`;
}

const browser = await launchBrowser();
try {
  const page = await browser.newPage();
  await page.setContent(await documentHtml());
  await page.evaluate(() => document.fonts.ready);
  const margin = { top: '22mm', bottom: '22mm', left: '24mm', right: '24mm' };
  const pdf = await page.pdf({ format: 'A4', margin, tagged: true, outline: true });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(`${FOLDER}business-additional-terms.pdf`, pdf);
} finally {
  await browser.close();
}
