import { type Currency, countryFrom, currencyForVisitor, isCurrency } from '@clearframe/contract';
import { languagesIn } from '@clearframe/contract/accept-language';
import { type ActionFunctionArgs, type AppLoadContext, redirect } from '@remix-run/node';
import { z } from 'zod';
import { readForm } from '../../http/form.server';
import { RETURN_PARAMETER, returnAddress } from '../../http/landing';
import { chosenCurrency, currencyCookie } from '../../session/preferences.server';

/** The currency of the prices a visitor is shown: the chosen one, else that of their country or region. */
export async function currencyOf(request: Request, { settings }: AppLoadContext): Promise<Currency> {
  const { headers } = request;
  const country = settings.countryHeader === null ? null : countryFrom(headers.get(settings.countryHeader));
  const languages = languagesIn(headers.get('accept-language'));
  return (await chosenCurrency(request)) ?? currencyForVisitor({ country, languages });
}

const currencyForm = z.object({ currency: z.custom<Currency>(isCurrency), [RETURN_PARAMETER]: z.string().optional() });

/** Remembers a currency and returns to the page on which it was chosen. */
export async function chooseCurrency({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { currency, from } = await readForm(request, context, currencyForm);
  return redirect(returnAddress(from), {
    status: 303,
    headers: { 'set-cookie': await currencyCookie(currency, context) },
  });
}
