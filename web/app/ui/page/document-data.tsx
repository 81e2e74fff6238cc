import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Bundle } from '../../i18n/messages';
import type { Theme } from './theme';

/** What the server knew when it rendered the page, and the browser needs to render it alike. */
export interface DocumentData {
  /** BCP 47. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Languages to choose from (BCP 47). */
  readonly languages: readonly string[];
  readonly theme: Theme;
  /** Of what can be sent, and of the longest side of what comes back. */
  readonly limits: { readonly megabytes: number; readonly megapixels: number; readonly pixels: number };
  readonly messages: Bundle;
  readonly requestId: string;
}

interface DocumentState extends DocumentData {
  readonly nonce: string | undefined;
  /** Changes the looks at once, and for this document only. */
  readonly setTheme: (theme: Theme) => void;
}

const ELEMENT_ID = 'document-data';

const DocumentContext = createContext<DocumentState | null>(null);

interface DocumentProviderProps {
  readonly data: DocumentData;
  readonly nonce: string | undefined;
  readonly children: ReactNode;
}

export function DocumentProvider({ data, nonce, children }: DocumentProviderProps) {
  const [theme, setTheme] = useState(data.theme);
  const state = useMemo(() => ({ ...data, nonce, theme, setTheme }), [data, nonce, theme]);
  return <DocumentContext.Provider value={state}>{children}</DocumentContext.Provider>;
}

/** @throws outside of a document, which is a fault in the entry files */
export function useDocument(): DocumentState {
  const state = useContext(DocumentContext);
  if (!state) throw new Error('There is no document data: the entry has to provide it.');
  return state;
}

/** Carries the data inside the page. */
export function DocumentDataElement() {
  const { nonce, setTheme, ...data } = useDocument();
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
