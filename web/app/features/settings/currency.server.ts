import { type Currency, countryFrom, currencyForVisitor, isCurrency } from '@clearframe/contract';
import { languagesIn } from '@clearframe/contract/accept-language';
import { type ActionFunctionArgs, type AppLoadContext, redirect } from '@remix-run/node';
import { z } from 'zod';
import { readForm } from '../../http/form.server';
import { RETURN_PARAMETER, returnAddress } from '../../http/internal-address';
import { currencyCookie } from '../../session/preferences.server';

/** The chosen currency, else that of the visitor's country or region. */
export async function currencyOf(request: Request, { settings }: AppLoadContext): Promise<Currency> {
  const { headers } = request;
  const country = settings.countryHeader === null ? null : countryFrom(headers.get(settings.countryHeader));
  const languages = languagesIn(headers.get('accept-language'));
  return (await currencyCookie.read(request)) ?? currencyForVisitor({ country, languages });
}

const currencyForm = z.object({ currency: z.custom<Currency>(isCurrency), [RETURN_PARAMETER]: z.string().optional() });

export async function chooseCurrency({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { currency, from } = await readForm(request, context, currencyForm);
  await currencyCookie.write(currency, context);
  return redirect(returnAddress(from), 303);
}
