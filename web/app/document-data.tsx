import { createContext, useContext } from 'react';
import type { Bundle } from './i18n/messages';

/** What the server knew when it rendered the page, and the browser needs to render it alike. */
export interface DocumentData {
  /** BCP 47. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly messages: Bundle;
  readonly requestId: string;
}

const ELEMENT_ID = 'document-data';

const DocumentContext = createContext<(DocumentData & { readonly nonce: string | undefined }) | null>(null);

export const DocumentProvider = DocumentContext.Provider;

/** @throws outside of a document, which is a fault in the entry files */
export function useDocument() {
  const data = useContext(DocumentContext);
  if (!data) throw new Error('There is no document data: the entry has to provide it.');
  return data;
}

/** Carries the data inside the page. */
export function DocumentDataElement() {
  const { nonce, ...data } = useDocument();
  return (
    <script
      id={ELEMENT_ID}
      type="application/json"
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a data block, with the only character escaped that could end it
      dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replace(/</g, '\\u003c') }}
    />
  );
}

/** Reads the data back in the browser. */
export function readDocumentData(): DocumentData {
  return JSON.parse(document.getElementById(ELEMENT_ID)?.textContent ?? '{}') as DocumentData;
}
