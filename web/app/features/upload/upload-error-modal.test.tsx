import { createInstance } from 'i18next';
import ICU from 'i18next-icu';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, it } from 'vitest';
import common from '../../../../locales/en/common.json';
import { I18N_OPTIONS } from '../../i18n/options';
import { ModalFrameProvider } from '../../ui/modal/modal-frame';
import type { ModalHandle } from '../modals/catalogue';
import { UPLOAD_ERROR_REASONS, uploadErrorIn } from './read-upload-error';
import { UploadErrorModal } from './upload-error-modal';

const i18n = createInstance().use(new ICU());
await i18n.init({ ...I18N_OPTIONS, lng: 'en', resources: { en: { common } } });

const FRAME = { mode: 'dialog', titleId: 'title', descriptionId: 'description', isLocked: false } as const;
const MODAL: ModalHandle<'upload:error'> = { close: async () => {}, change: () => {}, addressOf: () => '' };

/** Only waiting helps: the text says until when. */
const NO_STEP = /^week_/;

it.each(UPLOAD_ERROR_REASONS)('%s: says what happened, that it cost nothing, and one next step', (reason) => {
  const html = renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <ModalFrameProvider value={FRAME}>
        <UploadErrorModal {...uploadErrorIn(reason, new URLSearchParams())} modal={MODAL} />
      </ModalFrameProvider>
    </I18nextProvider>,
  );
  const lines = [...html.matchAll(/<p>([^<]+)<\/p>/g)].map(([, line = '']) => line);
  expect(html).toMatch(/<h2[^>]*>[^<{]+<\/h2>/);
  expect(lines.filter((line) => line !== common.nothingCharged && line !== common.originalSafe)).not.toEqual([]);
  expect(lines).toContain(common.nothingCharged);
  const primary = [...html.matchAll(/<button[^>]*>([^<]+)<\/button>/g)].map(([, label]) => label);
  expect(primary).toEqual(
    NO_STEP.test(reason)
      ? [common.gotIt]
      : [expect.stringMatching(`^(${common.uploadError.choose}|${common.tryAgain})$`), common.gotIt],
  );
});
