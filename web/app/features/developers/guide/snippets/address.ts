import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
const result = await clearframe.enhance(new URL('https://clearframe.example/samples/astronaut.jpg'), {
  format: 'jpeg',
});
await result.save('better.jpg');
