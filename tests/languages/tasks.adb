--  SPDX-License-Identifier: Apache-2.0
--
--  Tasks of Ada: rendezvous, protected objects with entries, tasks of a block and their ends, exceptions through a rendezvous, strings
--  from functions, controlled objects, unbounded strings whose text is one.  With an argument two tasks also access, in an order that nobody is told of, a variable of the
--  procedure around them, components of records (of bits, of which some share a byte and some only a word; one whose place depends on a
--  discriminant), and an element of an array.
with Ada.Command_Line;
with Ada.Finalization;
with Ada.Strings.Unbounded; use Ada.Strings.Unbounded;
with Ada.Text_IO; use Ada.Text_IO;

procedure Tasks is
   procedure Pass_Turn;
   pragma Import (C, Pass_Turn, "pass_turn");
   procedure Await_Turn (N : Integer);
   pragma Import (C, Await_Turn, "await_turn");

   Racy : constant Boolean := Ada.Command_Line.Argument_Count > 0;

   type Bits is mod 2 ** 5;
   type Flags is record
      Low  : Bits;
      High : Boolean;
      Wide : Long_Integer;
   end record;
   for Flags use record
      Low  at 0 range 0 .. 4;
      High at 0 range 5 .. 5;
      Wide at 8 range 0 .. 63;
   end record;

   type Pair is record
      P, Q : Bits;
   end record;
   for Pair use record
      P at 0 range 0 .. 4;
      Q at 0 range 9 .. 13;
   end record;

   type Message (Length : Natural) is record
      Text   : String (1 .. Length);
      Number : Integer;
   end record;

   type Numbers is array (Positive range <>) of Integer;

   Hits   : Integer := 0;
   State  : Flags := (Low => 0, High => False, Wide => 0);
   Both   : Pair := (0, 0);
   Letter : Message := (Length => Ada.Command_Line.Argument_Count + 9, Text => (others => 'x'), Number => 0);
   Row    : Numbers (1 .. Ada.Command_Line.Argument_Count + 10) := (others => 0);

   Bad : exception;

   ------------------------------------------------------------------

   protected Buffer is
      entry Put (N : Integer);
      entry Get (N : out Integer);
      function Count return Natural;
   private
      Held  : Numbers (1 .. 4) := (others => 0);
      First : Positive := 1;
      Used  : Natural := 0;
   end Buffer;

   protected body Buffer is
      entry Put (N : Integer) when Used < 4 is
      begin
         Held ((First + Used - 1) mod 4 + 1) := N;
         Used := Used + 1;
      end Put;

      entry Get (N : out Integer) when Used > 0 is
      begin
         N := Held (First);
         First := First mod 4 + 1;
         Used := Used - 1;
      end Get;

      function Count return Natural is (Used);
   end Buffer;

   type Node;
   type Link is access Node;
   type Node is record
      Value : Integer;
      Next  : Link;
   end record;

   protected List is
      procedure Push (N : Link);
      function Top return Link;
   private
      Head : Link;
   end List;

   protected body List is
      procedure Push (N : Link) is
      begin
         N.Next := Head;
         Head := N;
      end Push;

      function Top return Link is (Head);
   end List;

   type Counted (Where : access Integer) is new Ada.Finalization.Limited_Controlled with null record;
   overriding procedure Finalize (Object : in out Counted);
   overriding procedure Finalize (Object : in out Counted) is
   begin
      Object.Where.all := Object.Where.all + 1;
   end Finalize;

   function Repeated (Word : String; Times : Natural) return String is
     (if Times = 0 then "" else Word & Repeated (Word, Times - 1));

   task type Worker is
      entry Start (Id : Integer; Names : String);
      entry Check (N : Integer);
      entry Done (Sum : out Integer);
   end Worker;

   task body Worker is
      Me, Total : Integer := 0;
   begin
      accept Start (Id : Integer; Names : String) do
         Me := Id;
         Row (Me) := Names'Length;
      end Start;
      begin
         accept Check (N : Integer) do
            if N mod 2 = 1 then
               raise Bad;
            end if;
         end Check;
      exception
         when Bad => Total := 1000;
      end;
      for I in 1 .. 500 loop
         declare
            N : Integer;
         begin
            Buffer.Put (I);
            Buffer.Get (N);
            Total := Total + N + Repeated ("ab", I mod 7)'Length;
            List.Push (new Node'(Value => N, Next => null));
         end;
      end loop;
      Row (Me) := Total;
      accept Done (Sum : out Integer) do
         Sum := Total;
      end Done;
   end Worker;

   --  Each reader drops its copy of the text, and whoever is the last frees it.
   function Read_By_Two return Natural is
      Text : Unbounded_String := To_Unbounded_String (Repeated ("longer than what fits inside ", 3));
      Long : Numbers (1 .. 2) := (0, 0);
   begin
      declare
         task type Reader (Id : Integer) is
            entry Give (Given : Unbounded_String);
         end Reader;
         task body Reader is
            Mine : Unbounded_String;
         begin
            accept Give (Given : Unbounded_String) do
               Mine := Given;
            end Give;
            declare
               Said : constant String := To_String (Mine);
            begin
               Long (Id) := Said'Length;
            end;
         end Reader;
         One : Reader (1);
         Two : Reader (2);
      begin
         One.Give (Text);
         Two.Give (Text);
         Text := Null_Unbounded_String;
      end;
      return Long (1) + Long (2);
   end Read_By_Two;

   procedure Right is
      Workers : array (1 .. 4) of Worker;
      Failed, Sum, All_Of, Deep : Integer := 0;
      Ends : aliased Integer := 0;
   begin
      for I in Workers'Range loop
         Workers (I).Start (I, Repeated ("x", I));
      end loop;
      for I in Workers'Range loop
         begin
            Workers (I).Check (I);
         exception
            when Bad => Failed := Failed + 1;
         end;
      end loop;
      for I in Workers'Range loop
         Workers (I).Done (Sum);
         All_Of := All_Of + Sum - Row (I);
      end loop;
      declare
         N : Link := List.Top;
      begin
         while N /= null loop
            Deep := Deep + 1;
            N := N.Next;
         end loop;
      end;
      declare
         task Owner;
         task body Owner is
            C : Counted (Ends'Access);
            pragma Unreferenced (C);
         begin
            Hits := Hits + 1;
         end Owner;
      begin
         null;
      end;
      Hits := Hits + 1;
      Sum := 0;
      for I in 1 .. 20 loop
         Sum := Sum + Read_By_Two;
      end loop;
      Put_Line (Integer'Image (Sum) & Integer'Image (Failed) & Integer'Image (All_Of) & Integer'Image (Deep) & Integer'Image (Buffer.Count)
                & Integer'Image (Hits) & Integer'Image (Ends));
   end Right;

   procedure Wrong is
      task First;
      task Second;

      task body First is
      begin
         Await_Turn (1);
         Hits := 1;               --  @race A1
         State.Low := 3;          --  @race B1
         State.Wide := 4;         --  @race C1
         Letter.Number := 5;      --  @race D1
         Row (3) := 6;            --  @race E1
         Both.P := 1;             --  @race F1
         Pass_Turn;
      end First;

      task body Second is
      begin
         Pass_Turn;
         Await_Turn (2);
         Hits := 2;               --  @race A2
         State.High := True;      --  @race B2
         State.Wide := 5;         --  @race C2
         Letter.Number := 6;      --  @race D2
         Row (3) := 7;            --  @race E2
         Both.Q := 2;             --  @race F2
         Row (4) := 7;
      end Second;
   begin
      null;
   end Wrong;
begin
   Right;
   if Racy then
      Wrong;
   end if;
   Put_Line ("done");
end Tasks;
