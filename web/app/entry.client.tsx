import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { interceptPopState } from './features/modals/modal-history';
import { startI18n } from './i18n/i18n.client';
import { DocumentProvider, readDocumentData } from './ui/page/document-data';
import { repeatEarlyChoices } from './ui/page/head/early-choices';
import { Hydration, withholdEvents } from './ui/page/hydration';

async function hydrate(): Promise<void> {
  const data = readDocumentData();
  const i18n = await startI18n(data.language, data.messages);
  // Browsers hide the attribute, not the property.
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
  interceptPopState();
  const letEventsThrough = withholdEvents();
  const onEnd = () => {
    letEventsThrough();
    // After the effects of the first rendering.
    setTimeout(repeatEarlyChoices);
  };
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <I18nextProvider i18n={i18n}>
          <DocumentProvider data={data} nonce={nonce}>
            <Hydration onEnd={onEnd}>
              <RemixBrowser />
            </Hydration>
          </DocumentProvider>
        </I18nextProvider>
      </StrictMode>,
    );
  });
}

void hydrate();
