import { z } from 'zod';

// The strict content policy forbids what zod would speed itself up with.
z.config({ jitless: true });
