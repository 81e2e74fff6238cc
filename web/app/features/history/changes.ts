import { useLocation } from '@remix-run/react';
import { createContext, useContext } from 'react';
import { preserveVersionParam, RETURN_PARAMETER } from '../../http/internal-address';

export const CHANGE_PATH = '/history/change';

export const CHANGES = ['retry', 'cancel'] as const;
export type Change = (typeof CHANGES)[number];

/** Address of the change that is being submitted. */
export const ChangesContext = createContext<string | null>(null);

/** The form action that changes a photo and returns to this page. Its query names the photo, because the form sends the selected ones. */
export function useChange(change: Change, taskId: string): { readonly address: string; readonly isPending: boolean } {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams({ intent: change, taskId, [RETURN_PARAMETER]: `${pathname}${search}` });
  const address = preserveVersionParam(`${CHANGE_PATH}?${query}`, search);
  return { address, isPending: useContext(ChangesContext) === address };
}
