import { RETURN_PARAMETER } from '../../../http/landing';

/** What the list's form takes along without script: the page of the list to come back to, and what one landed with. */
export function HistoryFormFields({ search }: { readonly search: string }) {
  const query = new URLSearchParams(search);
  const landing = query.get('v');
  query.delete('v');
  const rest = query.toString();
  return (
    <>
      <input type="hidden" name={RETURN_PARAMETER} value={`/history${rest && `?${rest}`}`} />
      {landing !== null && <input type="hidden" name="v" value={landing} />}
    </>
  );
}
