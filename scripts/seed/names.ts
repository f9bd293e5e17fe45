import { activeFellows, comingFellows, demoCoaches, formerFellows, type Name } from '#server/db/demo/names.ts';

const ofDemo: Name[] = [...demoCoaches, ...activeFellows, ...formerFellows, ...comingFellows];

const moreFirstNames =
  `Aaron Abigail Adunni Aisha Alejandra Alex Amir Andre Angela Anh Antonio Ariel Ashley Ayodele Beatriz
Brandon Brianna Caleb Camila Carmen Cedric Charlotte Chidi Christopher Claire Cody Cristina Daniel Darnell David Deborah
Deepika Destiny Diego Dmitri Dolores Dominique Ebony Eduardo Elena Elijah Elizabeth Emily Emmanuel Esperanza Ethan Eun-ji
Evelyn Fernando Francesca Gabriel Grace Graciela Hassan Heather Hiroshi Ian Imani Isaac Isabella Jamal James Janelle Jean-Luc
Jennifer Jesús Jin Joanna Jorge José Josephine Joshua Juan Julia Kamala Katherine Keisha Kevin Khadija Kofi Kwame Laura Leilani
Liam Linh Lucía Luis Luz Lyudmila Malik Marcus María Mariana Marisol Matthew Maya Megan Mei-ling Michael Mohammed Monica Nadia
Naomi Natalia Nathan Nia Nicholas Nicole Noah Olivia Omari Oscar Paolo Patrick Paul Pedro Phúc Priscilla Rachel Ramón Raúl
Rebecca Renée Ricardo Robert Roberto Rosalind Ryan Samantha Samuel Sandra Sara Sean Sebastián Shanice Sofía Sophia Stephen
Sunita Susan Tamika Tariq Tatiana Teresa Theodore Thomas Tiana Timothy Trevor Tyrone Valeria Vanessa Veronica Victor Victoria
Vincent Walter Wei Whitney William Xavier Yasmin Yolanda Yusuf Zachary Zainab Zuri`.split(/\s+/);

const moreLastNames =
  `Adams Adeyemi Aguilar Ahmed Alexander Ali Allen Alvarado Anderson Bailey Baker Banks Barnes Bell Bennett Blackwood
Boateng Booker Brooks Brown Bryant Butler Campbell Cárdenas Carter Castillo Chavez Chen Cho Clark Coleman Collins Cooper Cox Cruz
D’Angelo Davis Delgado Díaz Dubois Edwards Ellis Espinoza Evans Fernández Fischer Flores Ford Foster Franklin Freeman García
Gibson Gómez González Goldberg Graham Grant Gray Green Griffin Gutiérrez Hall Hamilton Harris Harrison Hayes Henderson Hernández
Hicks Hill Holloway Howard Hughes Hussain Ibrahim Jackson James Jefferson Jenkins Jiménez Johnson Jones Jordan Kelly Khan Kim King
Kowalski Kumar Lam Le Lee Lewis Liu Long López Lozano Marshall Martin Martínez McDonald Mendoza Mensah Miller Mitchell Moore Morales
Morgan Morris Müller Murphy Myers Navarro Nelson Ng Núñez O’Brien Okonkwo Oliver Ortega Ortiz Osei Owens Pacheco Parker Patel
Patterson Perez Perry Petrov Phillips Pham Powell Price Ramírez Reed Reyes Reynolds Richardson Rivera Roberts Robinson Rodríguez
Rogers Romero Rossi Russell Sanders Sánchez Schmidt Scott Sharma Shaw Simmons Singh Smith Solís Stewart Sullivan Tadesse Tanaka
Taylor Thompson Torres Tran Turner Underwood Valdez Vargas Vásquez Vega Walker Wallace Wang Ward Washington Watson Webb White
Williams Wilson Wood Wright Xiong Yang Young Zapata Zhang Zimmerman`.split(/\s+/);

export const firstNames = [...ofDemo.map(([first]) => first), ...moreFirstNames];
export const lastNames = [...ofDemo.map(([, last]) => last), ...moreLastNames];
